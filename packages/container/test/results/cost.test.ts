import { expect, test } from 'vitest';
import { growth, mostGrowth } from '../../../wire/test/growth.ts';
import type { Scope } from '../../src/calls/scope.ts';
import { overlayOf, type PendingWrite } from '../../src/results/optimistic.ts';
import { createPendingWrites } from '../../src/results/pending-writes.ts';
import { createResultCache } from '../../src/results/result-cache.ts';
import { resultKey } from '../../src/results/stored-results.ts';
import { createWatchers } from '../../src/results/watchers.ts';
import { createMemoryResults } from '../memory-results.ts';
import { createSetting } from '../setting.ts';
import { fetchCheck } from './cached.ts';

// Work of the page that an app decides by how much it reads, watches and writes (security rule 25).

const scope: Scope = { upstream: 'site', app: 'friends', viewer: '1', owner: '1', since: 0 };
const valuesOf = (size: number) => Object.fromEntries(Array.from({ length: size }, (_, key) => [`k${key}`, 'v']));
const readOf = (fields: readonly string[]) => ({
  scope,
  request: {
    operation: 'appData.getSelf' as const,
    method: 'GET' as const,
    segments: ['appData', '1', '@self', '@app'],
    query: [['fields', fields.join()] as const],
  },
});
const writeOf = (body: Record<string, string>): PendingWrite => ({
  id: '1',
  atMs: 0,
  scope,
  request: { ...readOf([]).request, operation: 'appData.update', method: 'POST', query: [], body },
});

test('the cost of watched reads and writes of one tick grows with their number, not with its product', async () => {
  const prepare = async (size: number) => {
    const { network, newPage, mount } = createSetting();
    network.site = ({ operation }) => ({ ok: operation === 'appdata.get' ? { '1': {} } : {} });
    const gadget = await mount(newPage());
    const reads = Array.from({ length: size }, (_, key) => ({ operation: 'appdata.get', params: { keys: `k${key}` } }));
    for (const read of reads) {
      await gadget.answer(read);
      gadget.watch(read, () => {});
    }
    let count = 0;
    const write = () => {
      count += 1;
      return gadget.answer({ operation: 'appdata.update', params: { data: { [`k${count % size}`]: `v${count}` } } });
    };
    return () => Promise.all(reads.map(write));
  };
  expect(await growth(50, prepare)).toBeLessThan(mostGrowth);
});

test('the cost of a view grows with the keys of the result, of the read and of the writes over it', async () => {
  const prepare = (size: number) => {
    const overlay = overlayOf(Array.from({ length: 50 }, () => ({ write: writeOf(valuesOf(size / 50)) })));
    const value = { '1': valuesOf(size) };
    const read = readOf(Object.keys(value['1']));
    return () => expect(overlay(read, value)).toEqual(value);
  };
  expect(await growth(250, prepare)).toBeLessThan(mostGrowth);
});

test('positive control: keys that are looked for in a list cost the square', async () => {
  const prepare = (size: number) => {
    const keys = Object.keys(valuesOf(size));
    return () => keys.filter((key) => keys.includes(key));
  };
  expect(await growth(500, prepare)).toBeGreaterThan(mostGrowth);
});

test('a view is made once until the result or a write is another', () => {
  const pending = createPendingWrites();
  const [read, base] = [readOf(['k0']), { '1': {} }];
  pending.add(writeOf({ k0: 'v' }));
  const view = pending.over(read, base);
  expect(view).toEqual({ '1': { k0: 'v' } });
  expect(pending.over(read, base)).toBe(view);
  expect(pending.over(read, { '1': {} })).not.toBe(view);
  pending.add(writeOf({ k0: 'w' }));
  expect(pending.over(read, base)).toEqual({ '1': { k0: 'w' } });
});

test('one large result is written out once for all who watch it', () => {
  let times = 0;
  const result = (text: string) => ({
    ok: {
      toJSON() {
        times += 1;
        return text;
      },
    },
  });
  const watchers = createWatchers();
  const read = { key: 'key' };
  let pushes = 0;
  const known = result('a');
  for (let count = 0; count < 100; count++) watchers.add(read, () => pushes++, known);
  watchers.push(read, known);
  expect([times, pushes]).toEqual([0, 0]);
  watchers.push(read, result('a'));
  expect([times, pushes]).toEqual([2, 0]);
  watchers.push(read, result('b'));
  expect([times, pushes]).toEqual([3, 100]);
});

test('stored results are read in linear time', async () => {
  const prepare = (size: number) => {
    const storage = createMemoryResults();
    for (let index = 0; index < size; index++) storage.content.set(`corrupt ${index}`, { scope, index });
    return () => createResultCache({ fetchCheck, storage, clock: { now: () => 0 } }).restored;
  };
  expect(await growth(200, prepare)).toBeLessThan(mostGrowth);
});

test('a result counts for the cache with what was asked, too', () => {
  const cache = createResultCache({
    fetchCheck,
    storage: createMemoryResults(),
    clock: { now: () => 0 },
    limits: { entries: 10, size: 1_000 },
  });
  const { request } = readOf(['x'.repeat(300)]);
  const key = resultKey(scope, request);
  cache.set(key, { scope, request, value: 1, storedAtMs: 0 });
  expect(cache.get(key)).toBeUndefined(); // more than a quarter
});
