import { type ChangeFeed, changeLog, createChangeFeed, type Database, type News, openSqlite, sql } from '@gantry/store';
import pg from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import { createSchema } from './postgres.ts';

const log = changeLog(sql`change_log`);
const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

const databases = [
  { name: 'SQLite', open: async () => openSqlite({ file: ':memory:' }) },
  {
    name: 'PostgreSQL',
    async open() {
      const schema = await createSchema();
      const db = schema.connect();
      undo.push(
        () => schema.remove(),
        () => db.close(),
      );
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
  const heard: News[] = [];
  const feed = createChangeFeed({
    db,
    log,
    now: () => clock.nowMs,
    every(work) {
      tick = work;
      return () => {};
    },
  });
  return { db, clock, feed, heard, tick: () => tick(), members: () => membersOf(heard) };
}

const write = (memberId: string) => log.add({ topic: 'people', memberId, appId: undefined });
const membersOf = (news: readonly News[]) => news.flatMap(({ changes }) => changes.map(({ memberId }) => memberId));

async function settled(feed: ChangeFeed): Promise<void> {
  await feed.since(await feed.position());
}

describe.each(databases)('a log of changes on $name', ({ open }) => {
  test('who listens hears of what is written from then on, in order and once', async () => {
    const { db, feed, heard, members } = await opened(open);
    await db.query(write('early'));
    const end = feed.listen((news) => heard.push(news));
    expect(await feed.position()).toBe(1);
    await db.batch([write('a'), write('b')]);
    feed.wake();
    await expect.poll(members).toEqual(['a', 'b']);
    await db.query(log.add({ topic: 'appData', memberId: 'c', appId: 'notes' }));
    feed.wake();
    await expect.poll(members).toEqual(['a', 'b', 'c']);
    expect(heard.at(-1)).toEqual({
      changes: [{ topic: 'appData', memberId: 'c', appId: 'notes' }],
      position: 4,
    });
    end();
    await db.query(write('late'));
    feed.wake();
    await settled(feed);
    expect(members()).toEqual(['a', 'b', 'c']);
  });

  test('what another connection writes is found at the next look', async () => {
    const { db, feed, heard, tick, members } = await opened(open);
    feed.listen((news) => heard.push(news));
    await feed.position();
    await db.query(write('a'));
    tick();
    await expect.poll(members).toEqual(['a']);
  });

  test('who has caught up has heard of all that was written before, also while a look was under way', async () => {
    const { db, feed, heard, members } = await opened(open);
    feed.listen((news) => heard.push(news));
    await feed.catchUp();
    await db.query(write('a'));
    const early = feed.catchUp();
    await db.query(write('b'));
    await Promise.all([feed.catchUp(), feed.catchUp()]);
    expect(members()).toEqual(['a', 'b']);
    await early;
  });

  test('who cannot catch up is told so, and can later', async () => {
    const { db, feed, heard, members } = await opened(open);
    feed.listen((news) => heard.push(news));
    await feed.catchUp();
    await db.query(sql`alter table change_log rename to away`);
    await expect(feed.catchUp()).rejects.toThrow();
    await db.query(sql`alter table away rename to change_log`);
    await db.query(write('a'));
    await feed.catchUp();
    expect(members()).toEqual(['a']);
  });

  test('who comes back with a position is told what came after it, and where that is gone, that it is', async () => {
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
    undo.push(
      () => schema.remove(),
      () => setting.db.close(),
      () => slow.end(),
    );
    await setting.db.query(write('first'));
    await slow.query('begin');
    await slow.query(`insert into change_log (topic, member_id) values ('people', 'slow')`);
    return { ...setting, slow };
  }

  test('one that ends late is heard, and was never passed by', async () => {
    const { db, slow, feed, heard, members } = await withSlowOne();
    feed.listen((news) => heard.push(news));
    await feed.position();
    await db.query(write('quick'));
    feed.wake();
    await expect.poll(members).toEqual(['quick']);
    expect(heard.at(-1)?.position).toBe(1); // whoever comes back with it is told of the slow one too
    await slow.query('commit');
    feed.wake();
    await expect.poll(members).toEqual(['quick', 'slow']);
    expect(heard.at(-1)?.position).toBe(3);
    expect((await feed.since(1))?.changes).toHaveLength(2);
  });

  test('one that was under way before anybody listened is heard too', async () => {
    const { db, slow, feed, heard, members } = await withSlowOne();
    await db.query(write('quick'));
    expect(await feed.position()).toBe(1);
    feed.listen((news) => heard.push(news));
    expect(await feed.position()).toBe(1);
    await slow.query('commit');
    feed.wake();
    await expect.poll(members).toEqual(['slow']);
  });

  test('one that never comes is waited for for a minute', async () => {
    const { db, slow, clock, feed, heard } = await withSlowOne();
    feed.listen((news) => heard.push(news));
    await feed.position();
    await db.query(write('quick'));
    await slow.query('rollback');
    feed.wake();
    await expect.poll(() => heard.at(-1)?.position).toBe(1);
    clock.nowMs += 60_001;
    feed.wake();
    await expect.poll(() => heard.at(-1)?.position).toBe(3);
  });
});
