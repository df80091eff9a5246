import type { Reply, ResourceRequest } from '@gantry/wire';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { mostLeased } from '../../src/results/leases.ts';
import type { Network } from '../network.ts';
import { createSetting, friends, notes, save, stream, tick } from '../setting.ts';
import { counting } from './cached.ts';
import { deliverAll, type LeasedApp, openLeasedApp } from './leased-apps.ts';

const second = 1_000;
const startMs = 1_790_000_000_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: startMs }));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A page with one app, welcomed, on a site that counts its answers. */
async function open(plan: { readonly apps?: readonly string[]; readonly preload?: readonly ResourceRequest[] } = {}) {
  const setting = createSetting({ isMachineClock: true });
  counting(setting);
  setting.network.preload = plan.preload ?? [];
  const container = setting.newPage();
  const apps: LeasedApp[] = [];
  for (const name of plan.apps ?? ['friends']) apps.push(await openLeasedApp(container, name));
  await settle(apps);
  return { ...setting, container, apps, app: apps[0] as LeasedApp };
}

/** Delivers messages and lets pages work, until nothing moves. */
async function settle(apps: readonly LeasedApp[]): Promise<void> {
  for (let round = 0; round < 6; round++) {
    await deliverAll(apps);
    await tick();
  }
  await deliverAll(apps);
}

async function read(app: LeasedApp, request = friends): Promise<Reply | undefined> {
  const replies = app.ask(request);
  await settle([app]);
  return replies[0];
}

/** Returns a reply that needed no message. */
async function withoutCrossing(app: LeasedApp, request = friends): Promise<Reply | undefined> {
  const replies = app.ask(request);
  await Promise.resolve();
  return replies[0];
}

test('a repeated read crosses nothing, counts its age, and is a copy (issue: a repeated read)', async () => {
  const { app, network } = await open();
  network.site = () => ({ ok: { list: [{ id: '2' }], startIndex: 0, totalResults: 1, itemsPerPage: 20 } });
  const first = await read(app);
  expect(first).toMatchObject({ ok: { list: [{ id: '2' }] }, meta: { ageMs: 0, source: 'network' } });
  const crossed = app.posted.length;
  vi.setSystemTime(startMs + 7 * second);
  for (let count = 0; count < 300; count++) {
    const reply = (await withoutCrossing(app)) as { ok: { list: object[] }; meta: object };
    expect(reply).toMatchObject({ ok: { list: [{ id: '2' }] }, meta: { ageMs: 7 * second, source: 'cache' } });
    reply.ok.list.push({ id: 'of the app' });
  }
  expect([app.posted.length, app.page.waiting, network.calls()]).toEqual([crossed, [], [expect.anything()]]);
});

test('a lease ends with the time for which the page takes its result for fresh, and when the clock is set back', async () => {
  const { app } = await open();
  await read(app);
  vi.setSystemTime(startMs + 60 * second - 1);
  expect(await withoutCrossing(app)).toEqual({ ok: 1, meta: { ageMs: 60 * second - 1, source: 'cache' } });
  vi.setSystemTime(startMs + 60 * second);
  expect(await withoutCrossing(app)).toBeUndefined();
  await settle([app]);
  vi.setSystemTime(startMs + 60 * second - 1);
  expect(await withoutCrossing(app)).toBeUndefined();
});

test('a write of any app of the page ends the leases of what it changes at once, and no others', async () => {
  const { apps, app } = await open({ apps: ['friends', 'friends', 'notes'] });
  const [writer, , other] = apps as [LeasedApp, LeasedApp, LeasedApp];
  for (const one of apps) for (const request of [friends, notes]) await read(one, request);
  writer.ask(save);
  expect(await withoutCrossing(writer, friends)).toBeUndefined(); // the app cannot know what its write changes
  await deliverAll(apps);
  expect(await withoutCrossing(apps[1] as LeasedApp, notes)).toBeUndefined();
  expect(await withoutCrossing(apps[1] as LeasedApp, friends)).toBeDefined();
  expect(await withoutCrossing(other, notes)).toBeDefined(); // AppData of another app
  expect(app.posted).toContain('ended');
});

test('a write of another tab and an event of another member end leases', async () => {
  const { container, app, newPage, mount } = await open();
  await read(app, notes);
  await read(app, stream);
  const second = await mount(newPage());
  await second.answer(save);
  await vi.waitFor(() => expect(app.posted).toContain('ended'));
  await deliverAll([app]);
  expect(await withoutCrossing(app, notes)).toBeUndefined();
  expect(await withoutCrossing(app, stream)).toBeDefined();
  container.invalidate([{ topic: 'activities', member: '5' }]);
  await deliverAll([app]);
  expect(await withoutCrossing(app, stream)).toBeUndefined();
});

test.for<[string, Partial<Network>]>([
  ['another member signs in', { viewer: '2' }],
  ['another app has the id', { upstream: 'another' }],
])('leases end with their port when %s', async ([, change]) => {
  const { app, network } = await open();
  await read(app);
  Object.assign(network, change);
  for (const { tokens } of network.calls()) for (const token of Object.values(tokens)) network.expired.add(token);
  await read(app, stream);
  expect(await withoutCrossing(app)).toMatchObject({ error: { data: { reason: 'APP_RELOADED' } } });
});

test('leases end when the app may not read any more what they answer', async () => {
  const { app, network } = await open();
  await read(app);
  network.permissions = network.permissions.filter((name) => !name.startsWith('people'));
  for (const { tokens } of network.calls()) for (const token of Object.values(tokens)) network.expired.add(token);
  await read(app, stream); // renews the token
  expect(await withoutCrossing(app)).toBeUndefined();
});

test('a reply that was on its way when the app wrote is not leased', async () => {
  const { app } = await open();
  await read(app, notes);
  vi.setSystemTime(startMs + 5 * second);
  await read(app, notes); // stale: the next is fresh and ready at once
  const replies = app.ask(notes);
  await Promise.resolve();
  app.page.deliver();
  app.ask(save);
  await Promise.resolve();
  app.app.deliver();
  expect(replies).toHaveLength(1);
  expect(await withoutCrossing(app, notes)).toBeUndefined();
});

test('what the manifest preloads arrives with the welcome: also the first read crosses nothing', async () => {
  const preload = [friends, stream];
  const { app, network } = await open({ preload });
  expect(await withoutCrossing(app)).toMatchObject({ meta: { source: 'cache' } });
  const calls = network.calls();
  expect(calls).toHaveLength(1);
});

test('a call made before the welcome is answered by a preload, and a subscription begins with it once', async () => {
  const { network, newPage } = createSetting({ isMachineClock: true });
  network.preload = [friends];
  network.site = () => ({ ok: 'preloaded' });
  const app = await openLeasedApp(newPage(), 'friends');
  const replies = app.ask(friends);
  const pushed: Reply[] = [];
  app.connection.watch({ operation: friends.operation, params: JSON.stringify(friends.params) }, (reply) => {
    pushed.push(reply);
  });
  while (app.app.deliver()); // the welcome
  await Promise.resolve();
  const known = { ok: 'preloaded', meta: { ageMs: 0, source: 'cache' } };
  expect([replies, app.page.waiting.length]).toEqual([[known], 1]);
  await settle([app]);
  expect(pushed).toEqual([known]);
});

test('preloads are not leased over a write that the app made before its welcome', async () => {
  const { network, newPage } = createSetting({ isMachineClock: true });
  network.preload = [notes];
  const app = await openLeasedApp(newPage(), 'friends');
  app.ask(save);
  const replies = app.ask(notes);
  while (app.app.deliver());
  await Promise.resolve();
  expect(replies).toEqual([]);
});

test('an app that reads in a loop crosses after a thousand reads, so that it hears of ends', async () => {
  const { app } = await open();
  await read(app);
  let leased = 0;
  while (await withoutCrossing(app)) leased += 1;
  expect(leased).toBe(999);
  await settle([app]);
  expect(await withoutCrossing(app)).toBeDefined();
});

test('a port has at most 200 leases of 500,000 characters, one a quarter of these (security rule 25)', async () => {
  expect(mostLeased).toEqual({ leases: 200, leaseText: 500_000 });
  const { app, network } = await open();
  const personOf = (index: number): ResourceRequest => ({ operation: 'people.get', params: { userId: `m${index}` } });
  for (let index = 0; index <= 200; index++) app.ask(personOf(index));
  await settle([app]);
  expect(await withoutCrossing(app, personOf(0))).toBeUndefined(); // the oldest made room
  for (const index of [1, 200]) expect(await withoutCrossing(app, personOf(index))).toBeDefined();
  network.site = () => ({ ok: 'x'.repeat(124_000) });
  for (let index = 300; index < 305; index++) await read(app, personOf(index));
  expect(await withoutCrossing(app, personOf(300))).toBeUndefined();
  for (const index of [301, 304]) expect(await withoutCrossing(app, personOf(index))).toBeDefined();
  network.site = () => ({ ok: 'x'.repeat(125_000) });
  await read(app, personOf(400));
  expect(await withoutCrossing(app, personOf(400))).toBeUndefined();
});

test('a page that is observed, or whose clock is not the machine’s, leases nothing: each read is seen', async () => {
  const setting = createSetting();
  const app = await openLeasedApp(setting.newPage(), 'friends');
  await read(app);
  expect([app.gadget.leases, app.gadget.preloads, await withoutCrossing(app)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('a write to another member’s data and then to one’s own ends the leases of both', async () => {
  const { apps, network } = await open({ apps: ['friends', 'friends'] });
  const [writer, reader] = apps as [LeasedApp, LeasedApp];
  network.site = ({ operation }) => ({ ok: operation === 'appdata.get' ? { '1': { a: '0' } } : {} });
  await read(reader, notes);
  expect(await withoutCrossing(reader, notes)).toMatchObject({ ok: { '1': { a: '0' } } });
  writer.ask({ operation: 'appdata.update', params: { userId: '2', data: { a: '1' } } });
  writer.ask(save);
  await deliverAll(apps);
  expect(await withoutCrossing(reader, notes)).toBeUndefined();
});
