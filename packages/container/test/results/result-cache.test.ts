import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import type { Scope } from '../../src/calls/scope.ts';
import { type CachedResult, createResultCache } from '../../src/results/result-cache.ts';
import { resultKey } from '../../src/results/stored-results.ts';
import { createMemoryResults } from '../memory-results.ts';
import { tick } from '../setting.ts';
import { fetchCheck, ownRequest } from './cached.ts';

test('results of two viewers, owners, apps, upstreams, times of consent or requests never have the same key (security rule 14)', () => {
  const text = fc.string();
  const identity = fc.record({
    upstream: text,
    app: text,
    viewer: fc.option(text),
    owner: fc.option(text),
    since: fc.nat(),
    segments: fc.array(text, { maxLength: 3 }),
  });
  const key = ({ segments, ...scope }: Scope & { segments: string[] }) =>
    resultKey(scope, { operation: 'people.getSelf', method: 'GET', segments, query: [] });
  fc.assert(
    fc.property(identity, identity, (a, b) => {
      fc.pre(JSON.stringify(Object.entries(a)) !== JSON.stringify(Object.entries(b)));
      expect(key(a)).not.toBe(key(b));
    }),
  );
  fc.assert(
    fc.property(identity, fc.constantFrom('upstream', 'app', 'viewer', 'owner'), (a, member) => {
      expect(key({ ...a, [member]: `${a[member]}x` })).not.toBe(key(a));
      expect(key({ ...a, since: a.since + 1 })).not.toBe(key(a));
    }),
  );
});

test('a result that is dropped while it is being stored does not come back', async () => {
  const storage = createMemoryResults();
  let earlier = Promise.resolve(); // in order, like IndexedDB
  const inTurn = (work: () => Promise<void>) => {
    earlier = earlier.then(tick).then(work);
    return earlier;
  };
  const cache = createResultCache({
    fetchCheck,
    clock: { now: () => 0 },
    storage: {
      entries: storage.entries,
      setMany: (entries) => inTurn(() => storage.setMany(entries)),
      delMany: (keys) => inTurn(() => storage.delMany(keys)),
      clear: () => inTurn(storage.clear),
    },
  });
  const scope: Scope = { upstream: 'u', app: 'a', viewer: '1', owner: '1', since: 0 };
  const result = { scope, request: ownRequest('1'), value: 'v', storedAtMs: 0 };
  cache.set('old', { ...result, value: 'old' });
  await vi.waitFor(() => expect([...storage.content.keys()]).toEqual(['old']));
  cache.set('new', result);
  void cache.drop(({ value }) => value === 'old'); // removes `old` and stores `new`
  await cache.drop(() => true);
  await earlier;
  expect([...storage.content.keys()]).toEqual([]);
});

test('a full storage makes the cache smaller, and the rest is stored', async () => {
  const storage = createMemoryResults();
  const setMany: typeof storage.setMany = async (entries) => {
    const room = 4 - new Set([...storage.content.keys(), ...entries.map(([key]) => key)]).size;
    if (room < 0) throw new DOMException('Full.', 'QuotaExceededError');
    await storage.setMany(entries);
  };
  const cache = createResultCache({ fetchCheck, storage: { ...storage, setMany }, clock: { now: () => 0 } });
  const scope: Scope = { upstream: 'u', app: 'a', viewer: '1', owner: '1', since: 0 };
  const set = (key: string) => cache.set(key, { scope, request: ownRequest('1'), value: key, storedAtMs: 0 });
  for (const key of ['a', 'b', 'c']) set(key);
  await vi.waitFor(() => expect([...storage.content.keys()]).toEqual(['a', 'b', 'c']));
  for (const key of ['d', 'e']) set(key);
  await vi.waitFor(() => expect([...storage.content.keys()]).toEqual(['d', 'e']));
  set('f');
  await vi.waitFor(() => expect([...storage.content.keys()]).toEqual(['d', 'e', 'f']));
});

test('a storage that fails to keep up is emptied and not asked again: it would show what is out of date', async () => {
  const storage = createMemoryResults();
  let isBroken = false;
  const setMany: typeof storage.setMany = (entries) =>
    isBroken ? Promise.reject(new Error('Broken.')) : storage.setMany(entries);
  const cache = createResultCache({ fetchCheck, storage: { ...storage, setMany }, clock: { now: () => 0 } });
  const scope: Scope = { upstream: 'u', app: 'a', viewer: '1', owner: '1', since: 0 };
  const result = { scope, request: ownRequest('1'), value: 'v', storedAtMs: 0 };
  cache.set('a', result);
  await vi.waitFor(() => expect(storage.content.size).toBe(1));
  isBroken = true;
  await cache.revise((kept) => ({ ...kept, outdated: 'here' }));
  expect(storage.content.size).toBe(0);
  expect(cache.get('a')).toMatchObject({ value: 'v', outdated: 'here' });
});

test('results that several tabs stored are within the limits again on the next page', async () => {
  const storage = createMemoryResults();
  const limits = { entries: 3, size: 1_000 };
  const scope: Scope = { upstream: 'u', app: 'a', viewer: '1', owner: '1', since: 0 };
  const tabs = [1, 2].map(() => createResultCache({ fetchCheck, storage, clock: { now: () => 9 }, limits }));
  await Promise.all(tabs.map(({ restored }) => restored));
  tabs.forEach((tab, nth) => {
    for (const id of ['1', '2', '3']) {
      const request = ownRequest(`${nth}${id}`);
      tab.set(resultKey(scope, request), { scope, request, value: id, storedAtMs: nth });
    }
  });
  await vi.waitFor(() => expect(storage.content.size).toBe(6));
  await createResultCache({ fetchCheck, storage, clock: { now: () => 9 }, limits }).restored;
  await vi.waitFor(() => expect(storage.content.size).toBe(3));
  expect([...storage.content.values()].map((entry) => (entry as CachedResult).storedAtMs)).toEqual([1, 1, 1]);
});

test('the cache is bounded by number and size, and keeps what was used last', async () => {
  const storage = createMemoryResults();
  const cache = createResultCache({ fetchCheck, storage, clock: { now: () => 0 }, limits: { entries: 3, size: 44 } });
  const scope: Scope = { upstream: 'u', app: 'a', viewer: '1', owner: '1', since: 0 };
  const set = (key: string, value: string) => cache.set(key, { scope, request: ownRequest('1'), value, storedAtMs: 0 });
  const held = (...keys: string[]) => keys.filter((key) => cache.get(key) !== undefined);
  for (const key of ['a', 'b', 'c']) set(key, 'v');
  cache.get('a');
  set('d', 'v');
  expect(held('a', 'b', 'c', 'd')).toEqual(['a', 'c', 'd']);
  set('giant', 'x'.repeat(41));
  expect(held('giant', 'a', 'c', 'd')).toEqual(['a', 'c', 'd']);
  set('e', 'x'.repeat(8));
  set('f', 'x'.repeat(8));
  set('g', 'x'.repeat(8));
  set('h', 'x'.repeat(8));
  expect(held('e', 'f', 'g', 'h')).toEqual(['f', 'g', 'h']);
  await vi.waitFor(() => expect([...storage.content.keys()]).toEqual(['f', 'g', 'h']));
});
