import { type ChangeFeed, changeLog, createChangeFeed, type Database, openSqlite, sql } from '@gantry/store';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ChangeBatch } from '../src/change-feed.ts';
import { createSchema } from './postgres.ts';

const log = changeLog(sql`change_log`);
const databases = [
  { name: 'SQLite', open: async () => openSqlite({ file: ':memory:' }) },
  {
    name: 'PostgreSQL',
    async open() {
      const schema = await createSchema();
      const db = schema.connect();
      onTestFinished(() => schema.remove());
      onTestFinished(() => db.close());
      return db;
    },
  },
];

/** A log and who reads it; time passes when a test says so. */
async function opened(open: () => Promise<Database>) {
  const db = await open();
  await db.batch([log.create]);
  const clock = { nowMs: 0 };
  let tick = () => {};
  const received: ChangeBatch[] = [];
  const feed = createChangeFeed({
    db,
    log,
    now: () => clock.nowMs,
    every(work) {
      tick = work;
      return () => {};
    },
  });
  return { db, clock, feed, received, tick: () => tick(), members: () => membersOf(received) };
}

const write = (memberId: string) => log.add({ topic: 'people', memberId, appId: undefined });
const membersOf = (news: readonly ChangeBatch[]) =>
  news.flatMap(({ changes }) => changes.map(({ memberId }) => memberId));

async function settled(feed: ChangeFeed): Promise<void> {
  await feed.since(await feed.position());
}

describe.each(databases)('a log of changes on $name', ({ open }) => {
  test('a listener receives every later write once, in order', async () => {
    const { db, feed, received, members } = await opened(open);
    await db.query(write('early'));
    const end = feed.listen((batch) => received.push(batch));
    expect(await feed.position()).toBe(1);
    await db.batch([write('a'), write('b')]);
    feed.wake();
    await expect.poll(members).toEqual(['a', 'b']);
    await db.query(log.add({ topic: 'appData', memberId: 'c', appId: 'notes' }));
    feed.wake();
    await expect.poll(members).toEqual(['a', 'b', 'c']);
    expect(received.at(-1)).toEqual({
      changes: [{ topic: 'appData', memberId: 'c', appId: 'notes' }],
      position: 4,
    });
    end();
    await db.query(write('late'));
    feed.wake();
    await settled(feed);
    expect(members()).toEqual(['a', 'b', 'c']);
  });

  test('the next poll finds a write of another connection', async () => {
    const { db, feed, received, tick, members } = await opened(open);
    feed.listen((batch) => received.push(batch));
    await feed.position();
    await db.query(write('a'));
    tick();
    await expect.poll(members).toEqual(['a']);
  });

  test('catching up notifies of everything that was written before, also while a read is under way', async () => {
    const { db, feed, received, members } = await opened(open);
    feed.listen((batch) => received.push(batch));
    await feed.catchUp();
    await db.query(write('a'));
    const early = feed.catchUp();
    await db.query(write('b'));
    await Promise.all([feed.catchUp(), feed.catchUp()]);
    expect(members()).toEqual(['a', 'b']);
    await early;
  });

  test('catching up rejects while the database is down, and works later', async () => {
    const { db, feed, received, members } = await opened(open);
    feed.listen((batch) => received.push(batch));
    await feed.catchUp();
    await db.query(sql`alter table change_log rename to away`);
    await expect(feed.catchUp()).rejects.toThrow();
    await db.query(sql`alter table away rename to change_log`);
    await db.query(write('a'));
    await feed.catchUp();
    expect(members()).toEqual(['a']);
  });

  test('a position resumes with everything after it, or is reported as gone', async () => {
    const { db, feed } = await opened(open);
    expect(await feed.position()).toBe(0);
    for (const id of ['a', 'b', 'c']) await db.query(write(id));
    const since = async (position: number) => (await feed.since(position))?.changes.map(({ memberId }) => memberId);
    expect(await since(0)).toEqual(['a', 'b', 'c']);
    expect(await since(2)).toEqual(['c']);
    expect(await since(3)).toEqual([]);
    expect(await since(4)).toBeUndefined();
    await db.query(sql`delete from change_log where position <= 2`);
    expect(await since(2)).toEqual(['c']);
    expect(await since(1)).toBeUndefined();
  });

  test('a refused write leaves nothing', async () => {
    const { db, feed } = await opened(open);
    await db.query(log.add({ topic: 'people', memberId: 'a', appId: undefined }, sql`from change_log where 1 = 0`));
    expect(await feed.position()).toBe(0);
  });
});

describe('transactions that end in another order than they began (PostgreSQL)', () => {
  /** A log with a transaction that has taken its position and goes on. */
  async function withSlowOne() {
    const schema = await createSchema();
    const slow = new pg.Client({ connectionString: schema.url });
    await slow.connect();
    const setting = await opened(async () => schema.connect());
    onTestFinished(() => schema.remove());
    onTestFinished(() => setting.db.close());
    onTestFinished(() => slow.end());
    await setting.db.query(write('first'));
    await slow.query('begin');
    await slow.query(`insert into change_log (topic, member_id) values ('people', 'slow')`);
    return { ...setting, slow };
  }

  test('a transaction that ends late is read, and no position passes it before', async () => {
    const { db, slow, feed, received, members } = await withSlowOne();
    feed.listen((batch) => received.push(batch));
    await feed.position();
    await db.query(write('quick'));
    feed.wake();
    await expect.poll(members).toEqual(['quick']);
    expect(received.at(-1)?.position).toBe(1);
    await slow.query('commit');
    feed.wake();
    await expect.poll(members).toEqual(['quick', 'slow']);
    expect(received.at(-1)?.position).toBe(3);
    expect((await feed.since(1))?.changes).toHaveLength(2);
  });

  test('a transaction from before the first listener is read too', async () => {
    const { db, slow, feed, received, members } = await withSlowOne();
    await db.query(write('quick'));
    expect(await feed.position()).toBe(1);
    feed.listen((batch) => received.push(batch));
    expect(await feed.position()).toBe(1);
    await slow.query('commit');
    feed.wake();
    await expect.poll(members).toEqual(['slow']);
  });

  test('a transaction that never ends is waited for for a minute', async () => {
    const { db, slow, clock, feed, received } = await withSlowOne();
    feed.listen((batch) => received.push(batch));
    await feed.position();
    await db.query(write('quick'));
    await slow.query('rollback');
    feed.wake();
    await expect.poll(() => received.at(-1)?.position).toBe(1);
    clock.nowMs += 60_001;
    feed.wake();
    await expect.poll(() => received.at(-1)?.position).toBe(3);
  });
});
