import { createHttpUpstream, type ProxyOptions, type UpstreamAnswer } from '@gantry/proxy';
import { changeLog, sql } from '@gantry/store';
import type { Call, Instance } from '@gantry/wire';
import { describe, expect, test } from 'vitest';
import { openSite, type Site, says } from '../site.ts';

interface Counted {
  readonly site: Site;
  /** Requests to the site: method, validator and signed target. */
  readonly calls: string[];
  readonly outcomes: string[];
  answer: (target: string, etag: string | undefined) => Promise<UpstreamAnswer> | UpstreamAnswer;
}

async function openCounted(options: Partial<ProxyOptions> = {}): Promise<Counted> {
  const calls: string[] = [];
  const outcomes: string[] = [];
  const counted: Counted = {
    calls,
    outcomes,
    answer: (target) => says({ entry: { id: target } }),
    site: await openSite({
      upstream: async ({ method, rawTarget, headers }) => {
        const etag = headers['if-none-match'];
        calls.push(`${method} ${rawTarget.replace('/social/rest', '')}${etag === undefined ? '' : ` if not ${etag}`}`);
        return counted.answer(rawTarget, etag);
      },
      observe: { attempt() {}, limited() {}, breaker() {}, cache: (outcome) => outcomes.push(outcome) },
      ...options,
    }),
  };
  return counted;
}

const read = ({ instance }: Instance, id = 'c', params: Call['params'] = {}): Call => {
  return { id, instance, operation: 'people.get', params };
};
const write = ({ instance }: Instance, id = 'w'): Call => {
  return { id, instance, operation: 'appdata.update', params: { data: { a: 1 } } };
};
const readData = ({ instance }: Instance, id = 'r'): Call => ({ id, instance, operation: 'appdata.get', params: {} });

test('equal reads of ten instances share one upstream request', async () => {
  const { site, calls, outcomes } = await openCounted();
  const gadgets = await Promise.all(Array.from({ length: 10 }, () => site.mount({ app: 'friends' })));
  const together = await site.call(
    gadgets.map((gadget, index) => read(gadget, String(index))),
    gadgets,
  );
  expect(together.size).toBe(10);
  expect(calls).toEqual(['GET /people/7/%40self?xoauth_requestor_id=7']);
  expect(outcomes.toSorted()).toEqual(['asked', ...Array(9).fill('joined')]);
});

test('equal reads of ten page requests share one, too', async () => {
  const counted = await openCounted();
  const { site, calls, outcomes } = counted;
  const gate = Promise.withResolvers<UpstreamAnswer>();
  counted.answer = () => gate.promise;
  const gadgets = await Promise.all(Array.from({ length: 10 }, () => site.mount({ app: 'friends' })));
  const all = Promise.all(gadgets.map((gadget) => site.call([read(gadget)], [gadget])));
  await expect.poll(() => outcomes.length).toBe(9);
  gate.resolve(says({ entry: { id: '7' } }));
  await all;
  expect(calls).toHaveLength(1);
});

test('apps, members and owners never share a reply (security rule 14)', async () => {
  const counted = await openCounted();
  const { site, calls } = counted;
  counted.answer = () => says({ entry: { id: String(calls.length) } }, { cacheControl: 'max-age=60' });
  const ask = async (app: string, viewer: string, owner: string) => {
    site.viewer = viewer;
    const gadget = await site.mount({ app, owner });
    return (await site.call([read(gadget, 'c', { userId: '5' })], [gadget])).get('c');
  };
  const answers = [
    await ask('friends', '7', '7'),
    await ask('notes', '7', '7'),
    await ask('friends', '8', '7'),
    await ask('friends', '7', '8'),
    await ask('friends', '7', '7'), // the positive control: this one is shared
  ];
  expect(answers.map((answer) => answer && 'ok' in answer && answer.ok)).toMatchObject([
    { id: '1' },
    { id: '2' },
    { id: '3' },
    { id: '4' },
    { id: '1' },
  ]);
});

test('equal reads of two apps are two requests', async () => {
  const { site, calls } = await openCounted();
  const gadgets = [await site.mount({ app: 'friends' }), await site.mount({ app: 'notes' })];
  await site.call(
    gadgets.map((gadget) => read(gadget, gadget.instance)),
    gadgets,
  );
  expect(calls).toHaveLength(2);
});

test('a cached reply with a validator is validated before it is used', async () => {
  const counted = await openCounted();
  const { site, calls, outcomes } = counted;
  let version = 1;
  counted.answer = (_, etag) =>
    etag === `"${version}"`
      ? { status: 304, text: '', etag }
      : says({ entry: { id: String(version) } }, { etag: `"${version}"` });
  const gadget = await site.mount({ app: 'friends' });
  const ask = async () => (await site.call([read(gadget)], [gadget])).get('c');
  const first = await ask();
  expect(await ask()).toEqual(first);
  version = 2;
  expect(await ask()).toMatchObject({ ok: { id: '2' } });
  const target = 'GET /people/7/%40self?xoauth_requestor_id=7';
  expect(calls).toEqual([target, `${target} if not "1"`, `${target} if not "1"`]);
  expect(outcomes).toEqual(['asked', 'confirmed', 'asked']);
});

test('a fresh reply is used without a request until it is stale', async () => {
  const counted = await openCounted();
  const { site, calls } = counted;
  counted.answer = () => says({ entry: { id: '7' } }, { cacheControl: 'private, max-age=60' });
  const gadget = await site.mount({ app: 'friends' });
  const ask = () => site.call([read(gadget)], [gadget]);
  await ask();
  site.nowMs += 59_999;
  await ask();
  expect(calls).toHaveLength(1);
  site.nowMs += 1;
  await ask();
  expect(calls).toHaveLength(2);
});

test.each([
  ['50', 10],
  ['50, 7', 10],
  ['0', 60],
  ['60', 0],
  ['99999999999999999999', 0],
  ['-50', 60],
  ['50.5', 60],
  ['soon', 60],
])('an answer with max-age=60 and Age: %s is fresh for %d s (RFC 9111 §5.1)', async (age, seconds) => {
  let calls = 0;
  const headers = { 'Cache-Control': 'max-age=60', Age: age };
  const upstream = createHttpUpstream({
    fetch: async () => {
      calls += 1;
      return new Response('{"entry":{"id":"7"}}', { headers });
    },
  });
  const site = await openSite({ upstream });
  const gadget = await site.mount({ app: 'friends' });
  const ask = () => site.call([read(gadget)], [gadget]);
  await ask();
  site.nowMs += seconds * 1_000 - 1;
  await ask();
  expect(calls).toBe(seconds === 0 ? 2 : 1);
  site.nowMs += 1;
  await ask();
  expect(calls).toBe(seconds === 0 ? 3 : 2);
});

test.each([
  ['no-store', says({ entry: { id: '7' } }, { cacheControl: 'no-store, max-age=60', etag: '"1"' })],
  ['an error', says({ error: { message: 'No' } }, { status: 404, cacheControl: 'max-age=60', etag: '"1"' })],
  ['an error inside a 200', says({ error: { code: 404 } }, { cacheControl: 'max-age=60', etag: '"1"' })],
  ['neither a validator nor an age', says({ entry: { id: '7' } })],
  ['no-cache without a validator', says({ entry: { id: '7' } }, { cacheControl: 'no-cache, max-age=60' })],
])('an answer with %s is not kept (security rule 14)', async (_, answer) => {
  const counted = await openCounted();
  counted.answer = () => answer;
  const gadget = await counted.site.mount({ app: 'friends' });
  for (let time = 0; time < 2; time++) await counted.site.call([read(gadget)], [gadget]);
  const target = 'GET /people/7/%40self?xoauth_requestor_id=7';
  expect(counted.calls).toEqual([target, target]);
});

test('a write makes replies of its topic stale, and no others (security rule 14)', async () => {
  const counted = await openCounted();
  const { site, calls } = counted;
  counted.answer = () => says({ entry: { '7': { a: '1' } } }, { cacheControl: 'max-age=60' });
  const gadget = await site.mount({ app: 'notes' });
  await site.call([readData(gadget), read(gadget)], [gadget]);
  await site.call([write(gadget)], [gadget]);
  calls.length = 0;
  await site.call([readData(gadget), read(gadget)], [gadget]);
  expect(calls).toEqual(['GET /appData/7/%40self/%40app?xoauth_requestor_id=7']);
});

test('a failed write makes replies stale too, since it may have been done', async () => {
  const counted = await openCounted();
  const { site, calls } = counted;
  counted.answer = () => says({ entry: {} }, { cacheControl: 'max-age=60' });
  const gadget = await site.mount({ app: 'notes' });
  await site.call([readData(gadget)], [gadget]);
  counted.answer = () => Promise.reject(new Error('reset'));
  await site.call([write(gadget)], [gadget]);
  counted.answer = () => says({ entry: {} });
  calls.length = 0;
  await site.call([readData(gadget)], [gadget]);
  expect(calls).toHaveLength(1);
});

test('a read after a write does not share an earlier request, whose reply is not fresh either', async () => {
  const counted = await openCounted();
  const { site, calls } = counted;
  const old = Promise.withResolvers<UpstreamAnswer>();
  counted.answer = () => old.promise;
  const gadget = await site.mount({ app: 'notes' });
  const early = site.call([readData(gadget)], [gadget]);
  await expect.poll(() => calls.length).toBe(1);
  counted.answer = () => says({ entry: { '7': { a: 'new' } } });
  await site.call([write(gadget)], [gadget]);
  expect((await site.call([readData(gadget)], [gadget])).get('r')).toEqual({ id: 'r', ok: { '7': { a: 'new' } } });
  old.resolve(says({ entry: { '7': { a: 'old' } } }, { cacheControl: 'max-age=60' }));
  expect((await early).get('r')).toEqual({ id: 'r', ok: { '7': { a: 'old' } } });
  expect((await site.call([readData(gadget)], [gadget])).get('r')).toEqual({ id: 'r', ok: { '7': { a: 'new' } } });
});

describe('a change of another process, from the log', () => {
  const changed = (site: Site, { topic = 'appData', appId = 'notes' } = {}) =>
    site.db.query(changeLog(sql`proxy_change_log`).add({ topic, memberId: '', appId }));

  test('makes replies of its topic and app stale, and no others (security rule 14)', async () => {
    const counted = await openCounted();
    const { site, calls } = counted;
    counted.answer = () => says({ entry: {} }, { cacheControl: 'max-age=60' });
    const notes = await site.mount({ app: 'notes' });
    const friends = await site.mount({ app: 'friends' });
    const ask = () => site.call([readData(notes), read(notes), readData(friends, 'other')], [notes, friends]);
    await ask();
    calls.length = 0;
    await ask();
    expect(calls).toEqual([]); // the positive control
    await changed(site);
    await ask();
    expect(calls).toEqual(['GET /appData/7/%40self/%40app?xoauth_requestor_id=7']);
  });

  test('counts from the moment at which its write was acknowledged', async () => {
    const counted = await openCounted();
    const { site, calls } = counted;
    counted.answer = () => says({ entry: {} }, { cacheControl: 'max-age=60' });
    const elsewhere = await openSite({ db: site.db });
    const gadget = await site.mount({ app: 'notes' });
    await site.call([readData(gadget)], [gadget]);
    await elsewhere.call([write(gadget)], [gadget]);
    await site.call([readData(gadget)], [gadget]);
    expect(calls).toHaveLength(2);
  });

  test('makes all replies stale when it has no narrower topic', async () => {
    const counted = await openCounted();
    const { site, calls } = counted;
    counted.answer = () => says({ entry: {} }, { cacheControl: 'max-age=60' });
    const notes = await site.mount({ app: 'notes' });
    await site.call([readData(notes), read(notes)], [notes]);
    calls.length = 0;
    await changed(site, { topic: 'settings' });
    await site.call([readData(notes), read(notes)], [notes]);
    expect(calls).toHaveLength(2);
  });

  test('is not followed by a shared earlier request, whose reply is not fresh either', async () => {
    const counted = await openCounted();
    const { site, calls, outcomes } = counted;
    const old = Promise.withResolvers<UpstreamAnswer>();
    counted.answer = () => old.promise;
    const gadget = await site.mount({ app: 'notes' });
    const ask = () => site.call([readData(gadget)], [gadget]);
    const early = [ask(), ask()];
    await expect.poll(() => outcomes).toEqual(['joined']); // the positive control
    await changed(site);
    counted.answer = () => says({ entry: { '7': { a: 'new' } } });
    const later = await Promise.all([ask(), ask(), ask()]);
    expect(later.map((replies) => replies.get('r'))).toEqual(Array(3).fill({ id: 'r', ok: { '7': { a: 'new' } } }));
    expect(calls).toHaveLength(2);
    old.resolve(says({ entry: { '7': { a: 'old' } } }, { cacheControl: 'max-age=60' }));
    expect((await early[0])?.get('r')).toEqual({ id: 'r', ok: { '7': { a: 'old' } } });
    expect((await ask()).get('r')).toEqual({ id: 'r', ok: { '7': { a: 'new' } } });
  });

  test('is assumed while the log cannot be read', async () => {
    const counted = await openCounted();
    const { site, calls } = counted;
    counted.answer = () => says({ entry: {} }, { cacheControl: 'max-age=60' });
    const gadget = await site.mount({ app: 'notes' });
    await site.call([readData(gadget)], [gadget]);
    await site.db.query(sql`alter table proxy_change_log rename to away`);
    await site.call([readData(gadget)], [gadget]);
    expect(calls).toHaveLength(2);
  });
});

test('a failure reaches all who share the request, and the next read sends another', async () => {
  const counted = await openCounted();
  const { site, calls } = counted;
  counted.answer = () => ({ status: 404, text: 'Not here' });
  const gadget = await site.mount({ app: 'friends' });
  const both = await site.call([read(gadget, 'a'), read(gadget, 'b')], [gadget]);
  expect([...both.values()]).toMatchObject([{ error: { code: 404 } }, { error: { code: 404 } }]);
  counted.answer = () => says({ entry: { id: '7' } });
  expect((await site.call([read(gadget)], [gadget])).get('c')).toMatchObject({ ok: { id: '7' } });
  expect(calls).toHaveLength(2);
});

test('the least recently used reply is evicted when the cache is full', async () => {
  const counted = await openCounted();
  const { site, calls } = counted;
  const long = 'x'.repeat(1_000_000);
  counted.answer = () => says({ entry: { id: '7', displayName: long } }, { cacheControl: 'max-age=600' });
  const gadget = await site.mount({ app: 'friends' });
  const ask = (userId: string) => site.call([read(gadget, 'c', { userId })], [gadget]);
  for (let member = 0; member < 20; member++) await ask(`m${member}`);
  calls.length = 0;
  await ask('m19');
  expect(calls).toEqual([]);
  await ask('m0');
  expect(calls).toHaveLength(1);
});
