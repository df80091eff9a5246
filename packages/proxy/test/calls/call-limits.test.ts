import type { Call, Instance } from '@gantry/wire';
import { createRateLimit } from '@gantry/wire/runtime';
import { expect, test } from 'vitest';
import { createShares, ownFirst } from '../../src/calls/call-limits.ts';
import { openSite, says } from '../site.ts';

const reads = ({ instance }: Instance, ids: readonly string[]): Call[] =>
  ids.map((id) => ({ id, instance, operation: 'people.get', params: { userId: id } }));
const numbered = (name: string, count: number) => Array.from({ length: count }, (_, index) => `${name}${index}`);
const tooMany = (retryAfter: number) => ({ error: { code: 429, data: { reason: 'RATE_LIMITED', retryAfter } } });

test('a member may make 1,200 calls of an app at once and 20 a second; more are a rate limit that says when', async () => {
  const site = await openSite();
  const gadget = await site.mount({ app: 'friends' });
  const ask = async (count: number) => [...(await site.call(reads(gadget, numbered('m', count)), [gadget])).values()];
  await ask(500);
  await ask(500);
  await ask(199);
  const [refused, ...others] = (await ask(2)).toSorted((a, b) => Number('ok' in a) - Number('ok' in b));
  expect(refused).toMatchObject(tooMany(1));
  expect(others).toMatchObject([{ ok: {} }]);
  site.nowMs += 100;
  expect((await ask(3)).filter((reply) => 'ok' in reply)).toHaveLength(2);
});

test('the limit is separate for each app and each member', async () => {
  const site = await openSite();
  const friends = await site.mount({ app: 'friends' });
  const notes = await site.mount({ app: 'notes' });
  for (let time = 0; time < 3; time++) await site.call(reads(friends, numbered('m', 500)), [friends]);
  const [refused] = (await site.call(reads(friends, ['a']), [friends])).values();
  expect(refused).toMatchObject(tooMany(1)); // the positive control
  const [other] = (await site.call(reads(notes, ['a']), [notes])).values();
  expect(other).toMatchObject({ ok: {} });
  site.viewer = '8';
  const theirs = await site.mount({ app: 'friends' });
  const [member] = (await site.call(reads(theirs, ['a']), [theirs])).values();
  expect(member).toMatchObject({ ok: {} });
});

test('several processes count together what is more than a twentieth in each, and ask for nothing less (decision 97)', async () => {
  const rate = { perMinute: 1_200, burst: 1_200 };
  const passes = async (count: number) => {
    const now = () => 0;
    const shared = { ...createRateLimit(now), asked: 0 };
    const takeShared = async (...args: Parameters<typeof shared.take>) => {
      shared.asked++;
      return shared.take(...args);
    };
    const processes = Array.from({ length: count }, () => ownFirst(takeShared, now));
    for (let n = 0; n < 60 * count; n++) expect(processes[n % count]?.('k', rate)).toBeUndefined();
    expect(shared.asked).toBe(0);
    let passed = 60 * count;
    for (let n = 0; n < 1_500; n++) if ((await processes[n % count]?.('k', rate)) === undefined) passed++;
    return passed;
  };
  expect([await passes(1), await passes(2), await passes(4)]).toEqual([1_200, 1_260, 1_380]);
});

test('an app that floods a slow site delays no other app', async () => {
  const gates: (() => void)[] = [];
  const site = await openSite({
    upstream: async ({ rawTarget }) => {
      if (rawTarget.includes('/flood')) await new Promise<void>((resolve) => gates.push(resolve));
      return says({ entry: {} });
    },
  });
  const flooding = await site.mount({ app: 'friends' });
  const quiet = await site.mount({ app: 'notes' });
  const flood = [1, 2].map((half) => site.call(reads(flooding, numbered(`flood${half}x`, 500)), [flooding]));
  await expect.poll(() => gates.length).toBe(32);
  const [answer] = (await site.call(reads(quiet, ['calm']), [quiet])).values();
  expect(answer).toMatchObject({ ok: {} });
  expect(gates).toHaveLength(32);
  let isOver = false;
  const over = Promise.all(flood).then(() => {
    isOver = true;
  });
  while (!isOver) {
    for (const open of gates.splice(0)) open();
    await new Promise(setImmediate);
  }
  await over;
});

test("an app's calls run, then queue, and are refused beyond the queue", async () => {
  const refusals: string[] = [];
  const inShare = createShares({ atOnce: 2, waiting: 3, observe: { limited: (limit) => refusals.push(limit) } });
  const begun: number[] = [];
  const gates: (() => void)[] = [];
  const run = (number: number, app = 'a') =>
    inShare(app, async () => {
      begun.push(number);
      await new Promise<void>((resolve) => gates.push(resolve));
      return number;
    });
  const all = [0, 1, 2, 3, 4].map((number) => run(number));
  await expect(run(5)).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfter: 1 });
  expect(begun).toEqual([0, 1]);
  expect(refusals).toEqual(['concurrency']);
  const other = run(6, 'b');
  expect(begun).toEqual([0, 1, 6]);
  while (gates.length > 0) {
    gates.shift()?.();
    await new Promise(setImmediate);
  }
  expect(await Promise.all([...all, other])).toEqual([0, 1, 2, 3, 4, 6]);
  expect(begun).toEqual([0, 1, 6, 2, 3, 4]);
});

test('failed work frees its slot', async () => {
  const inShare = createShares({ atOnce: 1, waiting: 1 });
  const failing = inShare('a', () => Promise.reject(new Error('no')));
  const next = inShare('a', async () => 'done');
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('done');
});
