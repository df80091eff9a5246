import { systemClock } from '@gantry/bridge';
import type { Clock } from '@gantry/wire/runtime';
import { beforeEach, expect, test } from 'vitest';
import { createStillClock, type StillClock } from '../../bridge/test/still-clock.ts';
import { createContainer } from '../src/create-container.ts';
import { createMemoryStorage } from '../src/memory-storage.ts';
import { createNetwork, type Network } from './network.ts';
import { asTestGadget, friends, save, tick } from './setting.ts';

// A page in Node whose time belongs to the test. Tasks without a delay go on while the clock stands
// still.

let network: Network;
let clock: StillClock;
let isOffline = false;

beforeEach(() => {
  network = createNetwork();
  clock = createStillClock();
  isOffline = false;
});

async function mount(by: Clock = clock) {
  const container = createContainer({
    base: 'https://site.test/gantry/',
    fetch: (url, init) => (isOffline ? Promise.reject(new TypeError('offline')) : network.fetch(url, init)),
    storage: createMemoryStorage(),
    clock: by,
    follow: () => () => undefined,
  });
  const reply = await container.mount({ app: 'friends' }, () => undefined);
  if ('error' in reply) throw new Error(reply.error.message);
  return { ...asTestGadget(reply.ok), container };
}
const sentCalls = () => network.calls().flatMap(({ calls }) => calls.map(({ operation }) => operation));

test('a result is stale when a jump takes it past its policy’s time, and not before', async () => {
  const gadget = await mount();
  await gadget.answer(friends);
  expect(await gadget.answer(friends)).toMatchObject({ meta: { source: 'cache', ageMs: 0 } });
  clock.jump(10 * 60_000);
  expect(await gadget.answer(friends)).toMatchObject({ meta: { ageMs: 600_000, stale: true } });
});

test('control: by the machine’s clock the same result is fresh, whatever another clock says', async () => {
  const gadget = await mount(systemClock);
  await gadget.answer(friends);
  clock.jump(10 * 60_000);
  expect(await gadget.answer(friends)).not.toHaveProperty('meta.stale');
});

test('a write that was lost is sent again when a jump takes it past its back-off, and not before', async () => {
  const gadget = await mount();
  isOffline = true;
  const written = gadget.answer(save);
  await waitFor(() => gadget.writes.reports()[0]?.state === 'waiting');
  isOffline = false;
  for (let turn = 0; turn < 20; turn++) await tick();
  expect(sentCalls()).toEqual([]);
  clock.jump(1_000);
  expect(await written).toMatchObject({ ok: { answered: 'appdata.update' } });
  expect(sentCalls()).toEqual(['appdata.update']);
});

test('a call whose answer never comes is TIMED_OUT after a jump of 30 s', async () => {
  const gadget = await mount();
  network.site = () => new Promise(() => undefined);
  const reply = gadget.answer(friends);
  await waitFor(() => sentCalls().length === 1);
  clock.jump(29_999);
  expect(await Promise.race([reply, tick()])).toBeUndefined();
  clock.jump(1);
  expect(await reply).toMatchObject({ error: { data: { reason: 'TIMED_OUT' } } });
});

test('a token is renewed when a jump has used it up, and not before', async () => {
  const gadget = await mount();
  const opened = () => network.posts.filter(({ path }) => path === 'instances').length;
  await gadget.answer(friends);
  expect(opened()).toBe(1);
  clock.jump(600_000);
  await gadget.answer({ operation: 'people.get', params: {} });
  expect(opened()).toBe(2);
});

test('an app that never says hello is silent after a jump of its time, and not before', async () => {
  const { container } = await mount();
  let isLate = false;
  container.pendingLoads.add(10_000, () => {
    isLate = true;
  });
  clock.jump(9_999);
  expect(isLate).toBe(false);
  clock.jump(1);
  expect(isLate).toBe(true);
});

test('ids of writes come from the clock’s chance, so that two runs are the same', async () => {
  const idsOfRun = async () => {
    const run = createNetwork();
    network = run;
    clock = createStillClock();
    await (await mount()).answer(save);
    return run.calls().flatMap(({ calls }) => calls.map(({ write }) => write));
  };
  const ids = await idsOfRun();
  expect(ids).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)]);
  expect(await idsOfRun()).toEqual(ids);
});

async function waitFor(isSo: () => boolean): Promise<void> {
  while (!isSo()) await tick();
}
