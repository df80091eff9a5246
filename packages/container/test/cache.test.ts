import type { Reply, ResolvedRequest } from '@gantry/wire';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { type CachedResult, createResultCache } from '../src/result-cache.ts';
import { resultKey } from '../src/result-key.ts';
import type { Scope } from '../src/scope.ts';
import { createMemoryStorage } from './memory-storage.ts';
import { createSetting, friends, notes, post, type Setting, save, stream, tick } from './setting.ts';

const second = 1_000;
const day = 24 * 60 * 60 * second;

/** Answers every call with the number of calls so far. */
function counting({ network }: Setting): void {
  let count = 0;
  network.site = () => {
    count += 1;
    return { ok: count };
  };
}

function cached(value: unknown, ageMs: number): Reply {
  return { ok: value, meta: { ageMs, source: 'cache' } };
}

function stale(value: unknown, ageMs: number): Reply {
  return { ok: value, meta: { ageMs, source: 'cache', stale: true } };
}

/** By whom each stored result was found out of date. */
function outdated({ storage }: Setting): unknown[] {
  return [...storage.content.values()].map((entry) => (entry as CachedResult).outdated);
}

const ownRequest = (text: string): ResolvedRequest => ({
  operation: 'people.getSelf',
  method: 'GET',
  segments: ['people', text, '@self'],
  query: [],
});

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

test('a fresh result is answered at once, without a promise and without a POST', async () => {
  const setting = createSetting();
  counting(setting);
  const { network, clock, newPage, mount } = setting;
  const gadget = await mount(newPage());
  expect(await gadget.answer(friends)).toEqual({ ok: 1, meta: { ageMs: 0, source: 'network' } });
  clock.nowMs += 59 * second;
  expect(gadget.answer(friends)).toEqual(cached(1, 59 * second));
  await tick();
  expect(network.calls()).toHaveLength(1);
});

test('an older one is answered at once and asked again behind it', async () => {
  const setting = createSetting();
  counting(setting);
  const { network, clock, newPage, mount } = setting;
  const gadget = await mount(newPage());
  await gadget.answer(friends);
  clock.nowMs += 60 * second;
  expect(gadget.answer(friends)).toEqual(stale(1, 60 * second));
  expect(gadget.answer(friends)).toEqual(stale(1, 60 * second));
  await vi.waitFor(() => expect(gadget.answer(friends)).toEqual(cached(2, 0)));
  expect(network.calls()).toHaveLength(2);
});

test('one older than a day is not shown any more', async () => {
  const setting = createSetting();
  counting(setting);
  const { clock, newPage, mount } = setting;
  const gadget = await mount(newPage());
  await gadget.answer(friends);
  clock.nowMs += day;
  expect(await gadget.answer(friends)).toEqual({ ok: 2, meta: { ageMs: 0, source: 'network' } });
});

test('one older than a day is shown while the site is out of reach, with its age, on a later page too; after a week it is not', async () => {
  const setting = createSetting();
  const { network, clock, newPage, mount } = setting;
  network.site = () => ({ ok: 'kept' });
  await (await mount(newPage())).answer(friends);
  await vi.waitFor(() => expect(setting.storage.content.size).toBe(1));
  network.site = () => ({ error: { code: 503, message: 'Down.' } });
  clock.nowMs += 6 * day;
  const gadget = await mount(newPage());
  expect(await gadget.answer(friends)).toEqual(stale('kept', 6 * day));
  network.site = () => ({ error: { code: 403, message: 'No longer.' } });
  expect(await gadget.answer(friends)).toMatchObject({ error: { code: 403 } });
  network.site = () => ({ error: { code: 503, message: 'Down.' } });
  clock.nowMs += day;
  expect(await gadget.answer(friends)).toMatchObject({ error: { code: 503 } });
});

test('a clock that was set back makes no result younger than it is', async () => {
  const setting = createSetting();
  counting(setting);
  const { clock, newPage, mount } = setting;
  const gadget = await mount(newPage());
  await gadget.answer(friends);
  clock.nowMs -= second;
  expect(await gadget.answer(friends)).toMatchObject({ ok: 2 });
});

test('errors are not cached', async () => {
  const { network, newPage, mount } = createSetting();
  const gadget = await mount(newPage());
  network.site = () => ({ error: { code: 503, message: 'Down.' } });
  expect(await gadget.answer(friends)).toMatchObject({ error: { code: 503 } });
  network.site = () => ({ ok: 'up' });
  expect(await gadget.answer(friends)).toMatchObject({ ok: 'up' });
});

test('what failed to be asked again leaves the result that is there', async () => {
  const { network, clock, newPage, mount } = createSetting();
  const gadget = await mount(newPage());
  network.site = () => ({ ok: 'good' });
  await gadget.answer(friends);
  network.site = () => ({ error: { code: 503, message: 'Down.' } });
  clock.nowMs += 60 * second;
  gadget.answer(friends);
  await vi.waitFor(() => expect(network.calls()).toHaveLength(2));
  await tick();
  expect(gadget.answer(friends)).toEqual(stale('good', 60 * second));
});

test('results of one owner’s page are not those of another’s', async () => {
  const { network, newPage, mount } = createSetting();
  network.site = (_, { owner }) => ({ ok: `for the page of ${owner}` });
  const container = newPage();
  const [own, other] = await Promise.all([mount(container, 'friends', '1'), mount(container, 'friends', '7')]);
  expect(await own.answer(friends)).toMatchObject({ ok: 'for the page of 1' });
  expect(await other.answer(friends)).toMatchObject({ ok: 'for the page of 7' });
});

test('after a write its app waits for the network (read your writes)', async () => {
  const setting = createSetting();
  counting(setting);
  const { newPage, mount } = setting;
  const gadget = await mount(newPage());
  expect(await gadget.answer(notes)).toMatchObject({ ok: 1 });
  await gadget.answer(save);
  expect(await gadget.answer(notes)).toMatchObject({ ok: 3, meta: { source: 'network' } });
});

test('a read that was on its way when a write was done is not kept', async () => {
  const { network, newPage, mount } = createSetting();
  const gadget = await mount(newPage());
  const old = Promise.withResolvers<Reply>();
  network.site = ({ operation }) => (operation === 'appdata.get' ? old.promise : { ok: {} });
  const earlier = gadget.answer(notes);
  await vi.waitFor(() => expect(network.calls()).toHaveLength(1));
  await gadget.answer(save);
  network.site = () => ({ ok: 'new' });
  expect(await gadget.answer(notes)).toMatchObject({ ok: 'new' });
  old.resolve({ ok: 'old' });
  expect(await earlier).toMatchObject({ ok: 'old' });
  expect(gadget.answer(notes)).toEqual(cached('new', 0));
});

test.each([
  ['AppData is its app’s own', notes, save, { ok: 'cached', meta: { ageMs: 0, source: 'cache' } }],
  ['activities are everybody’s', stream, post, { ok: 'asked again', meta: { ageMs: 0, source: 'network' } }],
])('what one app writes, seen by another: %s', async (_, read, write, seen) => {
  const { network, newPage, mount } = createSetting();
  const container = newPage();
  const [writer, reader] = await Promise.all([mount(container, 'writer'), mount(container, 'reader')]);
  network.site = () => ({ ok: 'cached' });
  await reader.answer(read);
  await writer.answer(write);
  network.site = () => ({ ok: 'asked again' });
  expect(await reader.answer(read)).toEqual(seen);
});

test('a write leaves other topics alone', async () => {
  const setting = createSetting();
  counting(setting);
  const { newPage, mount } = setting;
  const gadget = await mount(newPage());
  await gadget.answer(friends);
  await gadget.answer(post);
  expect(gadget.answer(friends)).toEqual(cached(1, 0));
});

test('a write whose outcome is unknown counts as done', async () => {
  const { network, newPage, mount } = createSetting();
  const gadget = await mount(newPage());
  const broken = Promise.withResolvers<void>();
  network.site = ({ operation }) => ({ ok: operation });
  network.transform = async (response, { body }) => {
    if (!JSON.stringify(body).includes('appdata.update')) return response;
    await broken.promise;
    throw new TypeError('Failed to fetch');
  };
  const written = gadget.answer(save);
  await vi.waitFor(() => expect(network.calls()).toHaveLength(1));
  await gadget.answer(notes); // cached meanwhile, and perhaps from before the write
  broken.resolve();
  expect(await written).toMatchObject({ error: { code: 503 } });
  expect(await gadget.answer(notes)).toMatchObject({ meta: { source: 'network' } });
});

test('subscribers hear of a result that changed, and of no other', async () => {
  const { network, clock, newPage, mount } = createSetting();
  const gadget = await mount(newPage());
  const heard: Reply[] = [];
  const end = gadget.watch(friends, (reply) => heard.push(reply));
  const revalidate = async (value: string) => {
    network.site = () => ({ ok: value });
    clock.nowMs += 60 * second;
    gadget.answer(friends);
    await vi.waitFor(() => expect(gadget.answer(friends)).toMatchObject({ ok: value, meta: { ageMs: 0 } }));
  };
  await revalidate('first');
  await revalidate('first');
  await revalidate('second');
  end();
  await revalidate('third');
  expect(heard).toEqual([
    { ok: 'first', meta: { ageMs: 0, source: 'network' } },
    { ok: 'second', meta: { ageMs: 0, source: 'network' } },
  ]);
});

test('what is subscribed to is asked again after a write, in any gadget', async () => {
  const { network, newPage, mount } = createSetting();
  const container = newPage();
  const [writer, reader] = await Promise.all([mount(container, 'writer'), mount(container, 'reader')]);
  network.site = () => ({ ok: ['old'] });
  await reader.answer(stream);
  const heard: Reply[] = [];
  reader.watch(stream, (reply) => heard.push(reply));
  network.site = () => ({ ok: ['new', 'old'] });
  await writer.answer(post);
  await vi.waitFor(() => expect(heard).toEqual([{ ok: ['new', 'old'], meta: { ageMs: 0, source: 'network' } }]));
});

test('a change elsewhere makes results stale: shown once more with their age, and asked again', async () => {
  const setting = createSetting();
  counting(setting);
  const { clock, newPage, mount } = setting;
  const container = newPage();
  const gadget = await mount(container);
  await gadget.answer(notes);
  clock.nowMs += second;
  container.invalidate([{ topic: 'appData', member: '1', app: 'friends' }]);
  expect(gadget.answer(notes)).toEqual(stale(1, second));
  await vi.waitFor(() => expect(gadget.answer(notes)).toEqual(cached(2, 0)));
});

test('a change elsewhere concerns no other member’s results and no other topic’s', async () => {
  const setting = createSetting();
  counting(setting);
  const { newPage, mount } = setting;
  const container = newPage();
  const gadget = await mount(container);
  await gadget.answer(notes);
  container.invalidate([
    { topic: 'appData', member: '2', app: 'friends' },
    { topic: 'activities', member: '1' },
  ]);
  expect(gadget.answer(notes)).toEqual(cached(1, 0));
});

test('what is watched and changes elsewhere is asked again in one POST', async () => {
  const { network, newPage, mount } = createSetting();
  const container = newPage();
  const [one, two] = await Promise.all([mount(container, 'one'), mount(container, 'two')]);
  const heard: unknown[] = [];
  for (const gadget of [one, two]) gadget.watch(stream, (reply) => heard.push(reply));
  network.site = (_, { app }) => ({ ok: `new for ${app}` });
  container.invalidate([{ topic: 'activities', member: '5' }]);
  await vi.waitFor(() => expect(heard).toHaveLength(2));
  expect(heard).toEqual(['one', 'two'].map((app) => ({ ok: `new for ${app}`, meta: { ageMs: 0, source: 'network' } })));
  expect(network.calls().map(({ calls }) => calls.length)).toEqual([2]);
});

test('a read that was on its way when something changed elsewhere is not kept', async () => {
  const { network, newPage, mount } = createSetting();
  const container = newPage();
  const gadget = await mount(container);
  const old = Promise.withResolvers<Reply>();
  network.site = () => old.promise;
  const earlier = gadget.answer(notes);
  await vi.waitFor(() => expect(network.calls()).toHaveLength(1));
  container.invalidate([{ topic: 'appData', member: '1' }]);
  old.resolve({ ok: 'old' });
  await earlier;
  network.site = () => ({ ok: 'new' });
  expect(await gadget.answer(notes)).toMatchObject({ ok: 'new' });
});

test('what is watched while nobody sees the page is asked again when somebody does', async () => {
  const { network, clock, newPage, mount, setHidden } = createSetting();
  const container = newPage();
  const gadget = await mount(container);
  const heard: unknown[] = [];
  const end = gadget.watch(notes, (reply) => heard.push('ok' in reply && reply.ok));
  await gadget.answer(notes);
  setHidden(true);
  network.site = () => ({ ok: 'new' });
  container.invalidate([{ topic: 'appData', member: '1' }]);
  await tick();
  expect(network.calls()).toHaveLength(1);
  setHidden(false);
  await vi.waitFor(() => expect(heard.at(-1)).toBe('new'));
  network.site = () => ({ ok: 'newer' });
  setHidden(false);
  await tick();
  expect(network.calls()).toHaveLength(2); // what is fresh is not asked again
  clock.nowMs += 5 * second;
  setHidden(false);
  await vi.waitFor(() => expect(heard.at(-1)).toBe('newer'));
  end();
  clock.nowMs += 5 * second;
  setHidden(false);
  await tick();
  expect(network.calls()).toHaveLength(3);
});

test('results outlive the page', async () => {
  const { network, storage, newPage, mount } = createSetting();
  network.site = () => ({ ok: 'kept' });
  const gadget = await mount(newPage());
  await gadget.answer(friends);
  await vi.waitFor(() => expect(storage.content.size).toBe(1));
  const reloaded = await mount(newPage());
  expect(reloaded.answer(friends)).toEqual(cached('kept', 0));
});

test('what a write made stale is marked in the storage before the write is answered', async () => {
  const setting = createSetting();
  const { network, storage, newPage, mount } = setting;
  network.site = () => ({ ok: 'old' });
  const gadget = await mount(newPage());
  await gadget.answer(notes);
  await vi.waitFor(() => expect(storage.content.size).toBe(1));
  await gadget.answer(save);
  expect(outdated(setting)).toEqual(['here']);
});

test('who leaves the page while a write is on its way does not find the old result later', async () => {
  const setting = createSetting();
  const { network, storage, newPage, mount } = setting;
  network.site = ({ operation }) => (operation === 'appdata.get' ? { ok: 'old' } : new Promise(() => undefined));
  const gadget = await mount(newPage());
  await gadget.answer(notes);
  await vi.waitFor(() => expect(storage.content.size).toBe(1));
  void gadget.answer(save);
  await vi.waitFor(() => expect(network.calls()).toHaveLength(2));
  expect(outdated(setting)).toEqual(['here']);
  network.site = () => ({ ok: 'new' });
  const reloaded = await mount(newPage());
  expect(await reloaded.answer(notes)).toEqual({ ok: 'new', meta: { ageMs: 0, source: 'network' } });
});

test('another viewer sees nothing of the first, and nothing of the first stays (security rule 14)', async () => {
  const { network, storage, newPage, mount } = createSetting();
  network.site = (_, { viewer }) => ({ ok: `for ${viewer}` });
  const everyone = { operation: 'people.get', params: { userId: '7', groupId: '@friends' } };
  const first = await mount(newPage(), 'friends', '7');
  await first.answer(everyone);
  await vi.waitFor(() => expect(storage.content.size).toBe(1));
  const sameViewer = await mount(newPage(), 'friends', '7');
  expect(sameViewer.answer(everyone)).toMatchObject({ ok: 'for 1' }); // control: this result would be shown
  network.viewer = '2';
  const other = await mount(newPage(), 'friends', '7');
  expect(storage.content.size).toBe(0);
  expect(await other.answer(everyone)).toMatchObject({ ok: 'for 2', meta: { source: 'network' } });
});

test('signing out leaves nothing behind', async () => {
  const { network, storage, newPage, mount } = createSetting();
  const gadget = await mount(newPage());
  await gadget.answer(friends);
  await vi.waitFor(() => expect(storage.content.size).toBe(1));
  network.viewer = undefined;
  await mount(newPage());
  expect(storage.content.size).toBe(0);
});

test.each([
  ['denied', () => Promise.reject(new DOMException('Denied.', 'SecurityError'))],
  ['hanging', () => new Promise<never>(() => undefined)],
])('the page works with a storage that is %s', async (_, behave) => {
  const { network, newPage, mount } = createSetting();
  network.site = () => ({ ok: 'there' });
  const gadget = await mount(newPage({ entries: behave, setMany: behave, delMany: behave, clear: behave }));
  await gadget.answer(friends);
  expect(gadget.answer(friends)).toEqual(cached('there', 0));
  expect(await gadget.answer(save)).toMatchObject({ ok: 'there' });
});

test('stored entries that are corrupt are ignored and removed', async () => {
  const { network, storage, newPage, mount } = createSetting();
  network.site = () => ({ ok: 'good' });
  const gadget = await mount(newPage());
  await gadget.answer(friends);
  await vi.waitFor(() => expect(storage.content.size).toBe(1));
  const [[key, good]] = [...storage.content] as [[string, Record<string, unknown>]];
  const bad: unknown[] = [
    null,
    'text',
    {},
    { ...good, storedAtMs: 'now' },
    { ...good, request: null },
    { ...good, request: { ...ownRequest('1'), operation: 'constructor' } },
    { ...good, request: { ...ownRequest('1'), operation: 'appData.update' } },
    { ...good, request: ownRequest('2') },
    { ...good, value: undefined },
    { ...good, version: 0 },
    { ...good, scope: undefined },
  ];
  bad.forEach((value, index) => {
    storage.content.set(`${key.slice(0, -1)},${index}]`, value);
  });
  storage.content.set('no key', good);
  storage.content.set(JSON.stringify(['site', 'friends', '2', '1', 'x']), good); // would be viewer 1's to purge, 2's to read
  const reloaded = await mount(newPage());
  expect(reloaded.answer(friends)).toEqual(cached('good', 0));
  await vi.waitFor(() => expect([...storage.content.keys()]).toEqual([key]));
});

test('a result that is dropped while it is being stored does not come back', async () => {
  const storage = createMemoryStorage();
  let earlier = Promise.resolve(); // like IndexedDB: one thing after another, in the order of asking
  const inTurn = (work: () => Promise<void>) => {
    earlier = earlier.then(tick).then(work);
    return earlier;
  };
  const cache = createResultCache({
    now: () => 0,
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

test('what a full storage refuses makes the cache smaller, and the rest is stored', async () => {
  const storage = createMemoryStorage();
  const setMany: typeof storage.setMany = async (entries) => {
    const room = 4 - new Set([...storage.content.keys(), ...entries.map(([key]) => key)]).size;
    if (room < 0) throw new DOMException('Full.', 'QuotaExceededError');
    await storage.setMany(entries);
  };
  const cache = createResultCache({ storage: { ...storage, setMany }, now: () => 0 });
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
  const storage = createMemoryStorage();
  let isBroken = false;
  const setMany: typeof storage.setMany = (entries) =>
    isBroken ? Promise.reject(new Error('Broken.')) : storage.setMany(entries);
  const cache = createResultCache({ storage: { ...storage, setMany }, now: () => 0 });
  const scope: Scope = { upstream: 'u', app: 'a', viewer: '1', owner: '1', since: 0 };
  const result = { scope, request: ownRequest('1'), value: 'v', storedAtMs: 0 };
  cache.set('a', result);
  await vi.waitFor(() => expect(storage.content.size).toBe(1));
  isBroken = true;
  await cache.revise((kept) => ({ ...kept, outdated: 'here' }));
  expect(storage.content.size).toBe(0);
  expect(cache.get('a')).toMatchObject({ value: 'v', outdated: 'here' });
});

test('what several tabs stored together is within the limits again on the next page', async () => {
  const storage = createMemoryStorage();
  const limits = { entries: 3, size: 1_000 };
  const scope: Scope = { upstream: 'u', app: 'a', viewer: '1', owner: '1', since: 0 };
  const tabs = [1, 2].map(() => createResultCache({ storage, now: () => 9, limits }));
  await Promise.all(tabs.map(({ restored }) => restored));
  tabs.forEach((tab, nth) => {
    for (const id of ['1', '2', '3']) {
      const request = ownRequest(`${nth}${id}`);
      tab.set(resultKey(scope, request), { scope, request, value: id, storedAtMs: nth });
    }
  });
  await vi.waitFor(() => expect(storage.content.size).toBe(6));
  await createResultCache({ storage, now: () => 9, limits }).restored;
  await vi.waitFor(() => expect(storage.content.size).toBe(3));
  expect([...storage.content.values()].map((entry) => (entry as CachedResult).storedAtMs)).toEqual([1, 1, 1]);
});

test('the cache is bounded by number and size, and keeps what was used last', async () => {
  const storage = createMemoryStorage();
  const cache = createResultCache({ storage, now: () => 0, limits: { entries: 3, size: 40 } });
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
