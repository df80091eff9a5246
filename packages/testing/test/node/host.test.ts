import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findWorld, type PreparedWorld, prepareWorld } from '@gantry/lab';
import { gantry, osapi } from '@gantry/osapi';
import { type Host, openHost } from '@gantry/testing/node';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { folderForTest } from '../../../wire/test/temporary-folder.ts';
import { readScore, saveScore } from './score.ts';

const app = {
  uses: ['people.get', 'appdata.get', 'appdata.update', 'activities.create'],
  optional: { uses: ['albums.get'] },
};
let world: PreparedWorld;
let host: Host | undefined;

beforeAll(async () => {
  world = await prepareWorld(await findWorld('friendly', { apps: ['app-under-test'] }));
});
afterAll(() => world.close());
afterEach(async () => {
  await host?.close();
  host = undefined;
});

async function open(options: Parameters<typeof openHost>[0] = {}): Promise<Host> {
  host = await openHost({ app, world, ...options });
  return host;
}

test('a module that imports osapi speaks to the site of the test, whatever it keeps of it (ADR 57)', async () => {
  const { viewer } = await open();
  await saveScore(7);
  expect(await readScore()).toBe('7');
  expect((await osapi.people.getViewer()).id).toBe(viewer);
  expect(host?.calls.map(({ operation, decision }) => [operation, decision])).toEqual([
    ['appdata.update', 'queued'],
    ['appdata.get', 'asked'],
    ['people.get', 'asked'],
  ]);
});

test('a folder whose gadget.json is in public, as Vite copies it, is an app too (ADR 57)', async () => {
  const folder = folderForTest();
  await mkdir(join(folder, 'public'));
  await writeFile(join(folder, 'index.html'), '');
  const manifest = { name: 'Built', page: 'index.html', uses: ['people.get'] };
  await writeFile(join(folder, 'public', 'gadget.json'), JSON.stringify(manifest));
  const { viewer } = await open({ app: folder });
  expect((await osapi.people.getViewer()).id).toBe(viewer);
});

test('nothing of one test is in the next: another host has another site (ADR 57)', async () => {
  await open();
  expect(await readScore()).toBeUndefined();
  await saveScore(1);
  await host?.reset();
  expect(await readScore()).toBeUndefined();
  expect(host?.calls.map(({ operation }) => operation)).toEqual(['appdata.get']);
});

test('importing osapi without a host does not throw, and each call says what to do (ADR 57)', async () => {
  const advice = { message: expect.stringContaining('await openHost({ app })') };
  await expect(osapi.people.getViewer()).rejects.toMatchObject(advice);
  await expect(osapi.ready).rejects.toMatchObject(advice);
  await expect(gantry.state.get()).rejects.toMatchObject(advice);
  expect(() => gantry.on('context', () => {})).toThrow('await openHost({ app })');
});

test('a second host at the same time is refused with what to do instead (ADR 57)', async () => {
  await open();
  await expect(openHost({ app, world })).rejects.toThrow('host.open()');
  expect((await osapi.people.getViewer()).id).toBe(host?.viewer); // the first one still answers
});

test.each([
  ['dialogs', () => gantry.ui.confirm('Sure?'), 'no dialogs'],
  ['toasts', () => gantry.ui.toast('Saved'), 'no toasts'],
  ['the live region', () => gantry.announce('Saved'), 'no live region'],
  ['focus', () => gantry.focus.leave('forward'), 'no focus'],
  ['consent', () => gantry.permissions.request(['albums']), 'asks no member'],
  ['another page of the app', () => gantry.views.navigate('canvas'), 'no other page'],
])('a host in Node has no %s, and says so with where to test it (ADR 57)', async (_, ask, sentence) => {
  await open({ scenario: { permissions: 'without:albums' } });
  const refused = {
    code: 501,
    message: expect.stringMatching(new RegExp(`${sentence}.*@gantry/testing and Playwright`)),
  };
  await expect(ask()).rejects.toMatchObject(refused);
});

test('a page, an element and a frame are not there, and say so (ADR 57)', async () => {
  const { lab } = await open();
  for (const name of ['page', 'element', 'frame'] as const) expect(() => host?.[name]).toThrow('has no page');
  await host?.close();
  host = await openHost({ app, world, scenario: { permissions: 'all' } });
  expect(host.lab).not.toBe(lab);
});

test('an app whose member would be asked first is not mounted (security rule 29)', async () => {
  await expect(open({ scenario: { permissions: 'none' } })).rejects.toThrow('asks no member for permissions');
  await expect(osapi.people.getViewer()).rejects.toThrow('No site is around this code');
});

test('faults are injected, and the interval of 30 seconds passes in a jump (contract §7)', async () => {
  await open();
  host?.lab.calls.once('people.get', (call) => call.fail(404));
  await expect(osapi.people.getViewer()).rejects.toMatchObject({ code: 404 });
  const post = () => osapi.activities.create({ activity: { title: 'Level 3' } }, { write: { queue: false } });
  await post();
  await expect(post()).rejects.toMatchObject({ code: 429 });
  host?.clock.jump(30_000);
  await post();
});

test('a further member of the same site has an SDK of its own, and writes are pushed (ADR 57)', async () => {
  const { viewer } = await open();
  const heard = Promise.withResolvers<string>();
  const stop = osapi.appdata.get().subscribe((data) => {
    const { note } = data[viewer] ?? {};
    if (note === undefined) void host?.open(viewer).then((tab) => tab.osapi.appdata.update({ data: { note: 'hi' } }));
    else heard.resolve(String(note));
  });
  expect(await heard.promise).toBe('hi');
  stop();
});

test('the app hears teardown before it is loaded anew, and its state stays (ADR 18)', async () => {
  await open({ state: { level: 1 } });
  expect(await gantry.state.get()).toEqual({ level: 1 });
  gantry.on('teardown', () => gantry.state.set({ level: 2 }));
  await host?.reload();
  expect(await gantry.state.get()).toEqual({ level: 2 });
  expect(host?.tape().head).toMatchObject({ host: 'mock', app: 'app-under-test' });
});

test('a simulated document with a Uint8Array of its own is none in the way of the site, and has it back after (ADR 57)', async () => {
  const native = globalThis.Uint8Array;
  const simulated = class extends native {} as unknown as typeof Uint8Array;
  globalThis.Uint8Array = simulated;
  try {
    const { viewer } = await open();
    expect((await osapi.people.getViewer()).id).toBe(viewer);
    await host?.close();
    host = undefined;
    expect(globalThis.Uint8Array).toBe(simulated);
  } finally {
    globalThis.Uint8Array = native;
  }
});
