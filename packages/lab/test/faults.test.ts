import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createLab, type Lab, personaHeader, type Scenario } from '../src/index.ts';
import { app, openPage, small, url } from './page.ts';

async function lab(scenario: Scenario = {}, at = url): Promise<Lab> {
  const made = await createLab({
    url: at,
    apps: [app],
    world: small,
    scenario: { interval: 0, ...scenario },
  });
  onTestFinished(() => made.close());
  return made;
}

const titles = async (page: ReturnType<typeof openPage>) => {
  const { ok } = (await page.call('activities.get')) as { ok: { list: { title: string }[] } };
  return ok.list.map(({ title }) => title);
};
const post = (title: string) => ['activities.create', { activity: { title } }] as const;

test('dropReply: the site did it, the connection is lost, and a repeat of the write is not a second post (ADR 0021)', async () => {
  const made = await lab();
  const page = openPage(made, 'eva');
  await page.mount();
  made.faults.once('activities.create', { app: 'zettel' }).dropReply();
  await expect(page.call(...post('one'), 'w-1')).rejects.toThrow(TypeError);
  expect(await titles(page)).toEqual(['one']);
  expect(await page.call(...post('one'), 'w-1')).toHaveProperty('ok');
  expect(await titles(page)).toEqual(['one']);
});

test('kill: the connection is lost before the site gets the call', async () => {
  const made = await lab();
  const page = openPage(made, 'eva');
  made.faults.once('activities.create').kill();
  await expect(page.call(...post('one'))).rejects.toThrow('fetch failed');
  expect(await titles(page)).toEqual([]);
});

test('delay waits by the lab’s clock, and a jump ends it', async () => {
  const made = await lab();
  const page = openPage(made, 'eva');
  await page.call('people.get');
  made.faults.once('people.get').delay(3_600_000);
  const { promise: injected, resolve } = Promise.withResolvers<void>();
  made.record.subscribe(({ kind }) => kind === 'fault' && resolve());
  const called = page.call('people.get');
  await injected;
  made.clock.jump(3_600_000);
  expect(await called).toHaveProperty('ok');
});

test('deny takes a permission back as a member does, and clear gives it back', async () => {
  const made = await lab();
  const page = openPage(made, 'eva');
  await page.call('people.get');
  await made.faults.deny('people');
  expect(await page.call('people.get')).toMatchObject({ error: { code: 403, data: { missing: ['people'] } } });
  await made.faults.clear();
  expect(await page.call('people.get')).toHaveProperty('ok');
  await expect(made.faults.deny('telepathy')).rejects.toThrow('declared are: ');
});

test('fail-once: the first call of each operation and member fails with 503, the next does not', async () => {
  const made = await lab({ network: 'fail-once' });
  const page = openPage(made, 'eva');
  const failed = { error: { code: 503, data: { reason: 'UNAVAILABLE', retryAfter: 1 } } };
  expect(await page.call('people.get')).toMatchObject(failed);
  expect(await page.call('people.get')).toHaveProperty('ok');
  expect(await page.call('activities.get')).toMatchObject(failed);
  expect(await openPage(made, 'finn').call('people.get')).toMatchObject(failed);
});

test('slow: a call takes two seconds of the lab’s time longer', async () => {
  const made = await lab({ network: 'slow' });
  const page = openPage(made, 'eva');
  await page.mount();
  const { promise: injected, resolve } = Promise.withResolvers<void>();
  made.record.subscribe(({ kind }) => kind === 'fault' && resolve());
  let isBack = false;
  const called = page.call('people.get').finally(() => {
    isBack = true;
  });
  await injected;
  made.clock.jump(1_000);
  await made.clock.pause(0);
  expect(isBack).toBe(false);
  made.clock.jump(1_000);
  expect(await called).toHaveProperty('ok');
});

test('offline: calls are lost and gadgets still mount; back online calls are answered', async () => {
  const made = await lab({ network: 'offline' });
  const page = openPage(made, 'eva');
  await page.mount();
  await expect(page.call('people.get')).rejects.toThrow(TypeError);
  made.faults.network = 'fast';
  expect(await page.call('people.get')).toHaveProperty('ok');
});

test('over HTTP a lost connection is a destroyed socket, and open streams of events end', async () => {
  const server = createServer((incoming, outgoing) => made.listener(incoming, outgoing));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const made = await lab({}, at);
  const send = async (path: string, body: object) =>
    fetch(at + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'gantry-container': '1', origin: at, [personaHeader]: 'eva' },
      body: JSON.stringify(body),
    });
  const [{ ok }] = await (await send('/gantry/instances', [{ app: 'zettel' }])).json();
  const tokens = { [ok.instance]: ok.token };
  const call = (operation: string, params: object) =>
    send('/gantry/calls', { tokens, calls: [{ id: 'c', instance: ok.instance, operation, params, write: 'w' }] });

  made.faults.once('activities.create').dropReply();
  await expect(call(...post('one'))).rejects.toThrow(TypeError);
  expect(await (await call('activities.get', {})).text()).toContain('"title":"one"');
  made.faults.once('activities.create').kill();
  expect(await (await call('people.get', {})).text()).toContain('Eva'); // the body was read and passed on
  await expect(call(...post('two'))).rejects.toThrow(TypeError);

  const events = await send('/gantry/events', { tokens, since: [ok.since] });
  const reader = (events.body as ReadableStream<Uint8Array>).getReader();
  await reader.read();
  made.faults.network = 'offline';
  await expect(reader.read().then(() => reader.read())).rejects.toThrow(TypeError);
  await expect(call('people.get', {})).rejects.toThrow(TypeError);
});

test('names that no operation has are refused', async () => {
  const { faults } = await lab();
  expect(() => faults.once('people.frobnicate')).toThrow('There is no operation people.frobnicate: name one');
  expect(() => faults.once('activities.creat')).toThrow('did you mean activities.create?');
});
