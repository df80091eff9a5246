import { proxyMigrations, type UpstreamAnswer } from '@gantry/proxy';
import { type Database, migrate, sql } from '@gantry/store';
import type { Call, CallReply, Instance } from '@gantry/wire';
import { describe, expect, test } from 'vitest';
import { databases } from '../../../service/test/databases.ts';
import { NotSent } from '../../src/upstream/upstream.ts';
import { openSite, type Site, says, startMs } from '../site.ts';

/** A site that records writes, in order. Tests replace its answers. */
interface Upstream {
  readonly writes: string[];
  answer: (write: string) => Promise<UpstreamAnswer> | UpstreamAnswer;
}

async function openWrites(
  open: () => Promise<Database>,
  options: { readonly honoursKeys?: boolean; readonly db?: Database } = {},
): Promise<{ site: Site; upstream: Upstream; gadget: Instance; db: Database }> {
  const db = options.db ?? (await open());
  await migrate(db, { name: 'proxy', migrations: proxyMigrations });
  const upstream: Upstream = { writes: [], answer: () => says({ entry: {} }) };
  const site = await openSite({
    db,
    honoursKeys: options.honoursKeys ?? false,
    async upstream(request) {
      if (request.method === 'GET') return says({ entry: {} });
      const write = `${request.method} ${request.body}`;
      upstream.writes.push(write);
      return upstream.answer(write);
    },
  });
  return { site, upstream, gadget: await site.mount({ app: 'notes' }), db };
}

const save = (write: string | undefined, value = '1'): Partial<Call> => ({
  operation: 'appdata.update',
  params: { data: { a: value } },
  ...(write !== undefined && { write }),
});
const post = (write: string): Partial<Call> => ({
  operation: 'activities.create',
  params: { activity: { title: 'Low tide' } },
  write,
});

async function send(site: Site, gadget: Instance, call: Partial<Call>): Promise<CallReply | undefined> {
  const whole = { id: 'c', instance: gadget.instance, operation: '', params: {}, ...call };
  return (await site.call([whole], [gadget])).get('c');
}

const saved = { id: 'c', ok: {} };
const failed = (reason: string, code: number) => ({ id: 'c', error: { code, data: { reason } } });

describe.each(databases)('the write log on $name', ({ open }) => {
  test('a retry of a finished write gets its reply without an upstream request (ADR 21)', async () => {
    const { site, upstream, gadget } = await openWrites(open);
    upstream.answer = () => says({ entry: { id: '17', title: 'Low tide' } });
    const first = await send(site, gadget, post('w1'));
    expect(first).toEqual({ id: 'c', ok: { id: '17', title: 'Low tide' } });
    expect(await send(site, gadget, post('w1'))).toEqual(first);
    expect(upstream.writes).toEqual(['POST {"title":"Low tide"}']);
  });

  test('a write without an id is done each time (positive control)', async () => {
    const { site, upstream, gadget } = await openWrites(open);
    await send(site, gadget, save(undefined));
    await send(site, gadget, save(undefined));
    expect(upstream.writes).toEqual(['POST {"a":"1"}', 'POST {"a":"1"}']);
  });

  test('a write that two pages send at once is done once, and both get the reply', async () => {
    const { site, upstream, gadget } = await openWrites(open);
    const gate = Promise.withResolvers<UpstreamAnswer>();
    upstream.answer = () => gate.promise;
    const both = Promise.all([send(site, gadget, save('w1')), send(site, gadget, save('w1'))]);
    gate.resolve(says({ entry: {} }));
    expect(await both).toEqual([saved, saved]);
    expect(upstream.writes).toHaveLength(1);
  });

  test('the same through two processes: the second waits for the first', async () => {
    const one = await openWrites(open);
    const two = await openWrites(open, { db: one.db });
    const gate = Promise.withResolvers<UpstreamAnswer>();
    const arrival = Promise.withResolvers<void>();
    one.upstream.answer = () => {
      arrival.resolve();
      return gate.promise;
    };
    const first = send(one.site, one.gadget, post('w1'));
    await arrival.promise;
    const second = send(two.site, two.gadget, post('w1'));
    gate.resolve(says({ entry: { id: '17' } }));
    expect([await first, await second]).toEqual([
      { id: 'c', ok: { id: '17' } },
      { id: 'c', ok: { id: '17' } },
    ]);
    expect([one.upstream.writes.length, two.upstream.writes.length]).toEqual([1, 0]);
  });

  test('another write under a used id is a 409, finished or running', async () => {
    const { site, upstream, gadget } = await openWrites(open);
    await send(site, gadget, save('w1'));
    expect(await send(site, gadget, save('w1', '2'))).toMatchObject(failed('CONFLICT', 409));
    expect(await send(site, gadget, post('w1'))).toMatchObject(failed('CONFLICT', 409));
    const gate = Promise.withResolvers<UpstreamAnswer>();
    upstream.answer = () => gate.promise;
    const under = send(site, gadget, save('w2'));
    await expect.poll(() => upstream.writes.length).toBe(2);
    const other = send(site, gadget, save('w2', '2'));
    gate.resolve(says({ entry: {} }));
    expect(await under).toEqual(saved);
    expect(await other).toMatchObject(failed('CONFLICT', 409));
    expect(upstream.writes).toEqual(['POST {"a":"1"}', 'POST {"a":"1"}']);
  });

  test('ids of writes are separate for members and apps (security rule 3)', async () => {
    const { site, upstream, gadget } = await openWrites(open);
    await send(site, gadget, save('w1'));
    const friends = await site.mount({ app: 'friends' });
    await send(site, friends, save('w1', '2'));
    site.viewer = '8';
    await send(site, await site.mount({ app: 'notes' }), save('w1', '3'));
    expect(upstream.writes).toEqual(['POST {"a":"1"}', 'POST {"a":"2"}', 'POST {"a":"3"}']);
  });

  test('a refused write was not done: a retry is sent, as after the posting interval', async () => {
    const { site, upstream, gadget } = await openWrites(open);
    upstream.answer = () => ({ status: 500, text: 'too soon', retryAfter: '30' });
    expect(await send(site, gadget, post('w1'))).toMatchObject(failed('RATE_LIMITED', 429));
    upstream.answer = () => says({ entry: { id: '17' } });
    expect(await send(site, gadget, post('w1'))).toEqual({ id: 'c', ok: { id: '17' } });
    expect(upstream.writes).toHaveLength(2);
  });

  test('after a crash, AppData is written again, but no post to a foreign site', async () => {
    const { site, upstream, gadget, db } = await openWrites(open);
    const never = Promise.withResolvers<UpstreamAnswer>();
    upstream.answer = () => never.promise; // the process "dies": its outcome is lost
    void send(site, gadget, save('w1'));
    void send(site, gadget, post('w2'));
    await expect.poll(() => upstream.writes.length).toBe(2);
    const next = await openWrites(open, { db });
    next.site.nowMs = startMs + 60_000;
    expect(await send(next.site, next.gadget, save('w1'))).toEqual(saved);
    expect(await send(next.site, next.gadget, post('w2'))).toMatchObject(failed('OUTCOME_UNKNOWN', 502));
    expect(await send(next.site, next.gadget, post('w2'))).toMatchObject(failed('OUTCOME_UNKNOWN', 502));
    expect(next.upstream.writes).toEqual(['POST {"a":"1"}']);
  });

  test('a post is retried with its key if the site honours keys', async () => {
    const { site, upstream, gadget, db } = await openWrites(open, { honoursKeys: true });
    upstream.answer = () => Promise.reject(new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } }));
    expect(await send(site, gadget, post('w2'))).toMatchObject(failed('UPSTREAM_FAILED', 502));
    const next = await openWrites(open, { db, honoursKeys: true });
    expect(await send(next.site, next.gadget, post('w2'))).toEqual(saved);
    expect(next.upstream.writes).toHaveLength(1);
  });

  test('a post to a foreign site is retried if it was never sent, not if the connection broke', async () => {
    const { site, upstream, gadget } = await openWrites(open);
    upstream.answer = () =>
      Promise.reject(new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNRESET' }) }));
    expect(await send(site, gadget, post('w1'))).toMatchObject(failed('UPSTREAM_FAILED', 502));
    expect(await send(site, gadget, post('w1'))).toMatchObject(failed('OUTCOME_UNKNOWN', 502));
    upstream.answer = () => Promise.reject(new NotSent('refused'));
    await send(site, gadget, post('w2'));
    upstream.answer = () => says({ entry: {} });
    expect(await send(site, gadget, post('w2'))).toEqual(saved);
    expect(upstream.writes).toHaveLength(5);
  });

  test('an invalid id of a write is refused (security rule 18), and an id of a read is ignored', async () => {
    const { site, gadget, upstream } = await openWrites(open);
    for (const write of ['', 'a b', 'ü', 'x'.repeat(65)]) {
      const calls = [{ id: 'c', instance: gadget.instance, operation: 'appdata.update', params: {}, write }];
      const answer = await site.post('/gantry/calls', { tokens: {}, calls });
      expect(answer.status).toBe(400);
    }
    const read = { operation: 'appdata.get', params: { userId: '7', keys: '*' }, write: 'w1' };
    await send(site, gadget, read);
    await send(site, gadget, save('w1'));
    expect(upstream.writes).toHaveLength(1);
  });

  test('rows of the log are deleted after two days', async () => {
    const { site, gadget, db } = await openWrites(open);
    await send(site, gadget, save('w1'));
    site.nowMs += 49 * 60 * 60 * 1000;
    const later = await site.mount({ app: 'notes' });
    await send(site, later, save('w2'));
    const left = () => db.query<{ id: string }>(sql`select id from write_log`);
    await expect.poll(async () => (await left()).map(({ id }) => id)).toEqual(['w2']);
  });
});

test('a write that cannot be logged fails, and nothing is sent (security rule 23)', async () => {
  const databaseOf: { open: () => Promise<Database> } = databases[0] as (typeof databases)[number];
  const { site, upstream, gadget, db } = await openWrites(databaseOf.open);
  await db.query(sql`drop table write_log`);
  expect(await send(site, gadget, save('w1'))).toMatchObject({ error: { code: 503 } });
  expect(upstream.writes).toEqual([]);
});
