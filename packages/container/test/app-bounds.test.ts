import { expect, test, vi } from 'vitest';
import { createStillClock } from '../../bridge/test/still-clock.ts';
import { createTitle } from '../src/chrome/title.ts';
import type { Place } from '../src/gadget.ts';
import { openEntryStore } from '../src/outbox/entry-store.ts';
import { findEarlier, newEntry } from '../src/outbox/new-entry.ts';
import { throttled } from '../src/results/write-effects.ts';
import { mountOne, save } from './setting.ts';

const tooLarge = { error: { code: 413, data: { reason: 'TOO_LARGE' } } };
const list = (length: number) => Array.from({ length }, (_, index) => `k${index}`);

test.each([
  ['parameters', (size: number) => ({ keys: '*', junk: list(size) })],
  ['AppData as text', (size: number) => ({ data: JSON.stringify({ a: list(size) }) })],
])('%s of more than 5,000 strings are refused before they are parsed (security rule 25)', async (_, params) => {
  const { gadget } = await mountOne();
  const ask = (size: number) =>
    gadget.answer({ operation: 'data' in params(0) ? 'appdata.update' : 'appdata.get', params: params(size) });
  expect(await ask(4_900)).toHaveProperty('ok');
  expect(await ask(5_000)).toMatchObject(tooLarge);
});

test('the parameters of a read have at most 65,536 characters, since the page keeps them; a write may have more (security rule 25)', async () => {
  const { gadget } = await mountOne();
  const long = 'x'.repeat(65_600);
  expect(await gadget.answer({ operation: 'people.get', params: { long } })).toMatchObject(tooLarge);
  expect(await gadget.answer({ operation: 'appdata.update', params: { data: { a: long } } })).toHaveProperty('ok');
});

test('each write is written out as text a few times, however many wait (security rule 25)', async () => {
  const storage = { all: async () => [], get: async () => undefined, put: async () => {}, remove: async () => {} };
  const clock = createStillClock(0);
  const nothing = () => {};
  const store = openEntryStore({
    storage: { ...storage, clear: async () => {} },
    clock,
    mark: nothing,
    onKept: nothing,
  });
  const scope = { upstream: 'u', app: 'notes', viewer: '1', owner: '1', since: 0 };
  let count = 0;
  const toJSON = () => {
    count += 1;
    return 'a';
  };
  for (let index = 0; index < 250; index++) {
    const request = { ...save, params: { data: { toJSON } } };
    const write = { scope, request, id: `w${index}`, queues: false };
    if (findEarlier(store, write) === undefined) void store.keep(newEntry(write, { store, clock, count: index }));
  }
  expect(store.all()).toHaveLength(200);
  expect(count).toBeLessThanOrEqual(2 * 250);
});

test('work that takes long is done for a tenth of the time; the calls between are one', async () => {
  vi.useFakeTimers();
  try {
    let nowMs = 0;
    const doneAtMs: number[] = [];
    const work = (): void => {
      doneAtMs.push(nowMs);
      nowMs += 50;
    };
    const soon = throttled(work, () => nowMs);
    for (let step = 0; step < 200; step++) {
      soon();
      soon();
      vi.advanceTimersByTime(10);
      nowMs += 10;
    }
    expect(doneAtMs.length).toBeGreaterThan(3);
    for (const [index, atMs] of doneAtMs.slice(1).entries()) {
      expect(atMs - (doneAtMs[index] as number)).toBeGreaterThanOrEqual(490);
    }
  } finally {
    vi.useRealTimers();
  }
});

test('only the last of many titles is shown, and the site hears of it once (security rule 25)', async () => {
  const [titles, events]: [unknown[], unknown[]] = [[], []];
  const place = {
    gadget: { context: { app: { id: 'friends', title: 'Friends' } } },
    retitle: (title?: string) => titles.push(title),
    dispatch: (_: string, detail: unknown) => events.push(detail) > 0,
  };
  const { actions, end } = createTitle(place as unknown as Place);
  for (let count = 0; count < 1_000; count++) actions.setTitle(`  Title\n${count} ${'x'.repeat(200)}`);
  await vi.waitFor(() => expect(titles).toHaveLength(1));
  expect(titles[0]).toMatch(/^Title 999 x{90}$/);
  expect(events).toEqual([{ app: 'friends', title: titles[0] }]);
  end();
  expect(titles).toHaveLength(2); // the registered title
});
