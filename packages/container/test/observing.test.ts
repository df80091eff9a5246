import type { AppRequest } from '@gantry/bridge';
import type { Observe, Observed, ObservedAt, Reply } from '@gantry/wire';
import { beforeEach, expect, test } from 'vitest';
import { createStillClock } from '../../bridge/test/still-clock.ts';
import { createContainer } from '../src/create-container.ts';
import type { Gadget } from '../src/gadget.ts';
import { createMemoryStorage } from '../src/memory-storage.ts';
import { createObserving } from '../src/observing.ts';
import { createNetwork, type Network } from './network.ts';
import { tick } from './setting.ts';

let network: Network;
let seen: (Observed & ObservedAt)[];
const clock = createStillClock();

beforeEach(() => {
  network = createNetwork();
  seen = [];
});

const observe: Observe = (observed) => void seen.push(observed);

function newPage(observer: Observe | 'nobody' = observe) {
  return createContainer({
    base: 'https://site.test/gantry/',
    fetch: network.fetch,
    storage: createMemoryStorage(),
    clock,
    follow: () => () => undefined,
    ...(observer !== 'nobody' && { observe: observer }),
  });
}

async function mount(container = newPage(), host = {}, app = 'hello'): Promise<Gadget> {
  const reply = await container.mount({ app }, () => undefined, host);
  if ('error' in reply) throw new Error(reply.error.message);
  return reply.ok;
}

const request = (operation: string, params: object = {}): AppRequest => ({
  operation,
  params: JSON.stringify(params),
});
const viewer = () => request('people.get', { userId: '@viewer' });
const save = () => request('appdata.update', { data: { a: '1' } });
const at = { app: 'hello', place: 'hello#1' };
const decisions = () => seen.flatMap((one) => (one.kind === 'decision' ? [one.decision] : []));
const tookAndSize = { tookMs: 0, size: expect.any(Number) };

test('a call is observed with its number, the decision and the reply with its size', async () => {
  const gadget = await mount();
  const reply = await gadget.answer(viewer());
  expect(seen).toEqual([
    { ...at, kind: 'call', call: 1, operation: 'people.get', params: { userId: '@viewer' } },
    { ...at, kind: 'decision', call: 1, decision: 'asked' },
    { ...at, kind: 'reply', call: 1, ok: (reply as { ok: unknown }).ok, tookMs: 0, size: JSON.stringify(reply).length },
  ]);
});

test('call numbers continue over the loads of a place, and places of an app have different names', async () => {
  const container = newPage();
  const host = {};
  await (await mount(container, host)).answer(viewer());
  await (await mount(container, host)).answer(viewer());
  await (await mount(container)).answer(viewer());
  await (await mount(container, {}, 'friends')).answer(viewer());
  expect(seen.flatMap((one) => (one.kind === 'call' ? [`${one.place} ${one.call}`] : []))).toEqual([
    'hello#1 1',
    'hello#1 2',
    'hello#2 1',
    'friends#1 1',
  ]);
});

test('a result is fresh, then stale, and a second call joins the first', async () => {
  const gadget = await mount();
  await Promise.all([gadget.answer(viewer()), gadget.answer(viewer())]);
  await gadget.answer(viewer());
  clock.jump(10 * 60_000);
  await gadget.answer(viewer());
  expect(decisions()).toEqual(['asked', 'joined', 'fresh', 'stale']);
  expect(seen.find((one) => one.kind === 'decision' && one.decision === 'stale')).toMatchObject({ ageMs: 600_000 });
});

test('a write is queued, and a read over it is optimistic', async () => {
  const gadget = await mount();
  const own = () => request('appdata.get', { userId: '@viewer' });
  network.site = () => ({ ok: { '1': { a: '0' } } });
  await gadget.answer(own());
  const { promise, resolve } = Promise.withResolvers<Reply>();
  network.site = () => promise;
  const written = gadget.answer(save());
  while (!seen.some((one) => one.kind === 'decision' && one.decision === 'queued')) await tick();
  await tick();
  void gadget.answer(own());
  resolve({ ok: {} });
  await written;
  expect(decisions()).toEqual(['asked', 'queued', 'optimistic']);
});

test('a refused call has a reply with the error, and no decision', async () => {
  const gadget = await mount();
  const reply = await gadget.answer({ operation: 'people.get', params: 'no JSON' });
  expect(seen).toEqual([
    { ...at, kind: 'call', call: 1, operation: 'people.get', params: 'no JSON' },
    { ...at, kind: 'reply', call: 1, error: (reply as { error: unknown }).error, ...tookAndSize },
  ]);
});

test('a pushed result names the call that is watched', async () => {
  const container = newPage();
  const gadget = await mount(container);
  const watched = viewer();
  const pushed: Reply[] = [];
  gadget.watch(watched, (reply) => pushed.push(reply));
  await gadget.answer(watched);
  network.site = () => ({ ok: { id: '1', name: 'Ann' } });
  container.invalidate([{ topic: 'people', member: '*' }]);
  while (pushed.length < 2) await tick();
  expect(seen.filter(({ kind }) => kind === 'push')).toMatchObject([
    { ...at, call: 1, size: expect.any(Number) },
    { ...at, call: 1, ok: { id: '1', name: 'Ann' } },
  ]);
});

test('an action is observed when it is done, with its refusal', async () => {
  const place = createObserving({ observe, clock })({}, 'hello');
  const title = place.action('setTitle', () => undefined);
  const dialog = place.action('ui.dialog', async () => {
    throw new Error('no');
  });
  title('Mine');
  await expect(dialog({ text: 'Hello' })).rejects.toThrow('no');
  expect(seen).toMatchObject([
    { ...at, kind: 'action', name: 'setTitle', params: ['Mine'] },
    { ...at, kind: 'action', name: 'ui.dialog', params: [{ text: 'Hello' }], error: { code: 500 } },
  ]);
});

test('an observer that throws disturbs no gadget', async () => {
  const container = newPage(() => {
    throw new Error('a tool is broken');
  });
  const gadget = await mount(container);
  expect(await gadget.answer(viewer())).toMatchObject({ ok: { answered: 'people.get' } });
});

test('nothing is wrapped where nobody observes, so that a call costs the page what it did', async () => {
  const gadget = await mount(newPage('nobody'));
  await gadget.answer(viewer());
  expect([gadget.observed, seen]).toEqual([undefined, []]);
  expect((await mount()).observed).toBeDefined(); // control
});
