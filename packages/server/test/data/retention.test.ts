import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openNonces, serviceMigrations } from '@gantry/service';
import {
  changeLog,
  createSharedRates,
  type Database,
  type MigrationSet,
  migrate,
  openSqlite,
  pruneChanges,
  type Statement,
  sql,
} from '@gantry/store';
import { describe, expect, test } from 'vitest';
import { createSessions } from '../../../account/src/sign-in/sessions.ts';
import { pruneWrites } from '../../../proxy/src/calls/write-log.ts';
import { proxyMigrations } from '../../../proxy/src/migrations.ts';
import { sweepVersions } from '../../../proxy/src/versions/sweep.ts';
import { createAttemptLimits } from '../../../service/src/auth/attempt-limits.ts';
import { pruneKeyedPosts } from '../../../service/src/store/keyed-posts.ts';
import { nonceMigrations } from '../../../service/src/store/migrations.ts';
import { addRequestToken } from '../../../service/src/store/request-tokens.ts';
import { withdrawIntroduction } from '../../../service/src/world/introduce-member.ts';
import { openEmptyPostgres } from '../../../store/test/postgres.ts';

const rows = 2_500;
const mostInOneStatement = 1_000;
const nowMs = 10_000_000_000;
const nowS = nowMs / 1_000;

/** Numbers from 1 to `rows` as `n.i`, for `insert … select`. */
const numbers = sql`(with recursive n (i) as (select 1 union all select i + 1 from n where i < ${rows}) select i from n) as n`;

interface Job {
  readonly table: Statement;
  /** Adds expired rows. */
  readonly fill: Statement;
  /** Runs the job once, and waits for what it leaves to the background. */
  readonly run: (db: Database) => Promise<unknown>;
  /** Runs until no expired row is left. Default 1. */
  readonly runs?: number;
  /** Rows that stay. */
  readonly stay: number;
}

const siteLog = changeLog(sql`change_log`);
const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes));
const now = () => nowMs;

/** Waits for a job that no caller awaits. @param look Called before each count. */
async function waitUntilFew(db: Database, table: Statement, { few, look }: { few: number; look?: () => void }) {
  const count = () => {
    look?.();
    return countOf(db, table);
  };
  await expect.poll(count, { interval: 20 }).toBeLessThanOrEqual(few);
}

/** Prunes a log, two hours later at each look. */
async function pruneLog(db: Database): Promise<void> {
  let atMs = 0;
  let tick = () => {};
  pruneChanges({
    db,
    log: siteLog,
    now: () => atMs,
    every(work) {
      tick = work;
      return () => {};
    },
  });
  const look = () => {
    atMs += 2 * 60 * 60_000;
    tick();
  };
  await waitUntilFew(db, siteLog.table, { few: 1, look });
}

/** Every job that deletes rows of some age. A new one needs a row here. */
const jobs: Readonly<Record<string, Job>> = {
  'log of writes': {
    table: sql`write_log`,
    fill: sql`insert into write_log (viewer, app, id, digest, state, attempt, reply, at_ms)
      select '1', 'notes', 'w' || i, '', 'done', '', '{}', i from ${numbers}`,
    run: (db) => pruneWrites(db, nowMs),
    stay: 0,
  },
  'keys of posts': {
    table: sql`keyed_post`,
    fill: sql`insert into keyed_post (member_id, poster, post_key, digest, activity_id, posted_at_ms)
      select '1', 'app/notes', 'k' || i, '', '', i from ${numbers}`,
    run: (db) => pruneKeyedPosts(db, nowMs),
    runs: 3,
    stay: 0,
  },
  'log of changes': {
    table: siteLog.table,
    fill: sql`insert into change_log (topic, member_id) select 'people', 'm' || i from ${numbers}`,
    run: pruneLog,
    stay: 1, // readers begin at it
  },
  nonces: {
    table: sql`nonce`,
    fill: sql`insert into nonce (timestamp_s, digest) select 7, 'd' || i from ${numbers}`,
    async run(db) {
      const nonces = await openNonces(db, { now, boot: { id: 'b', startedAt: 0 } });
      await nonces.consume({ consumerKey: 'k', token: '', timestamp: nowS, nonce: 'n' });
      await nonces.close();
    },
    stay: 1, // the new one
  },
  sessions: {
    table: sql`member_session`,
    fill: sql`insert into member_session (digest, member_id, created_at_ms, expires_at_ms)
      select 'd' || i, '1', i, i from ${numbers}`,
    run: (db) => createSessions({ db, publicUrl: 'http://h', now, random }).begin('2', new Request('http://h')),
    runs: 3,
    stay: 3, // the new ones
  },
  'sessions of a member beyond a hundred': {
    table: sql`member_session`,
    fill: sql`insert into member_session (digest, member_id, created_at_ms, expires_at_ms)
      select 'd' || i, '1', i, ${nowMs + 1} from ${numbers}`,
    run: (db) => createSessions({ db, publicUrl: 'http://h', now, random }).begin('1', new Request('http://h')),
    runs: 3,
    stay: 100,
  },
  'attempts to sign in': {
    table: sql`sign_in_limit`,
    fill: sql`insert into sign_in_limit (subject, attempts, resets_at_ms) select 's' || i, 1, i from ${numbers}`,
    async run(db) {
      await createAttemptLimits({ db, now }).count([{ subject: 'member 1', most: 1 }]);
      await waitUntilFew(db, sql`sign_in_limit`, { few: 1 });
    },
    stay: 1,
  },
  'shared rates': {
    table: sql`shared_rate`,
    fill: sql`insert into shared_rate (key, before, units, at_ms, full_at_ms) select 'r' || i, 0, 0, i, i from ${numbers}`,
    async run(db) {
      await createSharedRates({ db, now, own: () => undefined })('key', { perMinute: 1, burst: 1 });
      await waitUntilFew(db, sql`shared_rate`, { few: 1 });
    },
    stay: 1,
  },
  'request tokens': {
    table: sql`request_token`,
    fill: sql`insert into request_token (token, consumer_key, flow, sealed_secret, callback, expires_at_ms)
      select 't' || i, 'k', 'member', '', 'oob', i from ${numbers}`,
    run: addToken,
    runs: 3,
    stay: 3,
  },
  'request tokens of a consumer beyond a hundred': {
    table: sql`request_token`,
    fill: sql`insert into request_token (token, consumer_key, flow, sealed_secret, callback, expires_at_ms)
      select 't' || i, 'k', 'member', '', 'oob', ${nowMs + 1} from ${numbers}`,
    run: addToken,
    runs: 3,
    stay: 100,
  },
  'chunks of no version': {
    table: sql`app_chunks`,
    fill: sql`insert into app_chunks (digest, size, seen_at_ms) select 'd' || i, 0, i from ${numbers}`,
    run: (db) => sweepVersions({ db, now }),
    stay: 0,
  },
  'introductions of removed members': {
    table: sql`introduction`,
    fill: sql`insert into introduction (member_id, said_at_s, digest) select 'm' || i, i, '' from ${numbers}`,
    run: (db) => db.batch(withdrawIntroduction('9', nowMs)),
    runs: 3,
    stay: 1,
  },
};

function addToken(db: Database) {
  const token = crypto.randomUUID();
  return addRequestToken(db, { token, sealedSecret: '', consumerKey: 'k', flow: 'member', callback: 'oob', nowMs });
}

const sets: readonly MigrationSet[] = [
  { name: 'service', migrations: serviceMigrations },
  { name: 'proxy', migrations: proxyMigrations },
  { name: 'nonces', migrations: nonceMigrations },
];
const member = (id: string) => sql`
  insert into member (id, display_name, thumbnail_url, about_me, region, birthday, gender, language, about_me_level,
    region_level, age_level, birthday_level, gender_level, language_level, admin)
  values (${id}, '', '', '', '', '', '', '', 0, 0, 0, 0, 0, 0, 0)`;

describe.each([
  { name: 'SQLite', open: async () => openSqlite({ file: ':memory:' }) },
  { name: 'PostgreSQL', open: openEmptyPostgres },
])('old rows on $name', ({ open }) => {
  async function prepared({ fill }: Pick<Job, 'fill'>): Promise<Database> {
    const db = await open();
    for (const set of sets) await migrate(db, set);
    await db.batch([member('1'), member('2')]);
    await db.query(sql`
      insert into consumer (key, kind, method, sealed_secret, container, any_member, created_at_ms)
      values ('k', 'member', 'HMAC-SHA1', '', 0, 0, 0)`);
    await db.query(fill);
    return db;
  }

  test.each(Object.entries(jobs))(
    '%s go a thousand a statement, and all of them (security rule 34)',
    async (_, job) => {
      const db = await prepared(job);
      const { watched, mostDeleted } = watch(db, job.table);
      for (let run = 0; run < (job.runs ?? 1); run++) await job.run(watched);
      expect(await countOf(db, job.table)).toBe(job.stay);
      expect(mostDeleted()).toBe(mostInOneStatement);
    },
  );

  test('control: one statement for all of them is noticed', async () => {
    const table = sql`nonce`;
    const db = await prepared(jobs.nonces as Job);
    const { watched, mostDeleted } = watch(db, table);
    await watched.query(sql`delete from nonce where timestamp_s < ${nowS}`);
    expect(mostDeleted()).toBe(rows);
  });
});

async function countOf(db: Database, table: Statement): Promise<number> {
  const [row] = await db.query<{ n: number }>(sql`select count(*) as n from ${table}`);
  return Number(row?.n);
}

/** Counts the rows that each `delete` from a table takes. */
function watch(db: Database, table: Statement) {
  let most = 0;
  async function counted<T>(statement: Statement, run: (statement: Statement) => Promise<readonly T[]>) {
    if (!/^\s*delete/.test(statement.strings[0] ?? '')) return run(statement);
    const before = await countOf(db, table);
    const result = await run(statement);
    // A row that is added meanwhile hides one in the difference.
    most = Math.max(most, result.length, before - (await countOf(db, table)));
    return result;
  }
  const watched: Database = {
    ...db,
    query: (statement) => counted(statement, (each) => db.query(each)),
    async batch(statements) {
      const results = [];
      for (const statement of statements) results.push(await counted(statement, (each) => db.query(each)));
      return results;
    },
  };
  return { watched, mostDeleted: () => most };
}

describe('the jobs above are all that there are', () => {
  /** Deletes by age or position without turns: comparisons in statements written by hand. */
  const withoutTurns = (source: string) =>
    [...source.matchAll(/sql`\s*delete from [^`]*?<[^`]*`/g)].map(([text]) => text).filter((text) => !/<>/.test(text));
  const tablesIn = (source: string) =>
    /[sS]omeExpired\(|deleteExpired\(/.test(source)
      ? [...source.matchAll(/table: (?:sql`(\w+)`|log\.table)/g)].map(([, name = 'change_log']) => name)
      : [];

  test('each deletes through the helper, and stands in this test (security rule 39)', async () => {
    const root = join(import.meta.dirname, '../../../..');
    const paths = globSync('packages/*/src/**/*.ts', { cwd: root }).filter((path) => !path.endsWith('/retention.ts'));
    expect(paths.length).toBeGreaterThan(500);
    const sources = await Promise.all(paths.map((path) => readFile(join(root, path), 'utf8')));
    expect(sources.flatMap(withoutTurns)).toEqual([]);
    const named = Object.values(jobs).map(({ table }) => table.strings.join(''));
    expect([...new Set(sources.flatMap(tablesIn))].sort()).toEqual([...new Set(named)].sort());
  });

  test('control: a delete by age that somebody writes is found', () => {
    const source = 'await db.query(sql`delete from visit where at_ms < 7`);';
    expect(withoutTurns(source)).toHaveLength(1);
    expect(tablesIn("deleteExpired(db, { table: sql`visit`, key: ['id'] })")).toEqual(['visit']);
  });
});
