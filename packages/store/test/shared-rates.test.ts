import { createRateLimit } from '@gantry/wire/runtime';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Database, openSqlite, type Statement, StoreError, sql } from '../src/index.ts';
import { createSharedRates, sharedRatesTable } from '../src/shared-rates.ts';
import { openEmptyPostgres } from './postgres.ts';

const rate = { perMinute: 600, burst: 100 };

async function openSqliteWithRates(): Promise<Database> {
  const db = openSqlite({ file: ':memory:' });
  onTestFinished(() => db.close());
  await db.batch(sharedRatesTable);
  return db;
}

async function openPostgresWithRates(): Promise<Database> {
  const db = await openEmptyPostgres();
  await db.query(sql`drop table if exists shared_rate`);
  await db.batch(sharedRatesTable);
  return db;
}

/** Makes the rates of several processes over one database and clock, and counts statements. */
function processes(db: Database, count: number, clock: { nowMs: number }) {
  const counted = { leases: 0 };
  const now = () => clock.nowMs;
  const counting: Database = {
    ...db,
    query<R>(statement: Statement) {
      if (statement.strings.join('').includes('insert into shared_rate')) counted.leases++;
      return db.query<R>(statement);
    },
  };
  const take = Array.from({ length: count }, () =>
    createSharedRates({ db: counting, now, clock: undefined, own: createRateLimit(now).take }),
  );
  return { take, counted };
}

describe.each([
  { name: 'SQLite', open: openSqliteWithRates, runs: 40 },
  { name: 'PostgreSQL', open: openPostgresWithRates, runs: 6 },
])('shared rates on $name', ({ open, runs }) => {
  test('four processes pass together what one lets pass, less what leases may hold', async () => {
    const db = await open();
    const { take } = processes(db, 4, { nowMs: 1_000 });
    let passed = 0;
    for (let n = 0; n < 400; n++) if ((await take[n % 4]?.('key', rate)) === undefined) passed++;
    expect(passed).toBeGreaterThanOrEqual(80);
    expect(passed).toBeLessThanOrEqual(90);
    // Control: a bucket in each process passes four times as much.
    const own = Array.from({ length: 4 }, () => createRateLimit(() => 1_000));
    const apart = Array.from({ length: 400 }, (_, n) => own[n % 4]?.take('key', rate));
    expect(apart.filter((seconds) => seconds === undefined)).toHaveLength(400);
  });

  test('one process alone passes nine tenths of the burst, then the whole rate', async () => {
    const db = await open();
    const clock = { nowMs: 1_000 };
    const { take } = processes(db, 1, clock);
    const passes = async () => (await take[0]?.('key', rate)) === undefined;
    let passed = 0;
    while (await passes()) passed++;
    expect(passed).toBe(90);
    passed = 0;
    for (let ms = 0; ms < 60_000; ms += 50) {
      clock.nowMs += 50;
      while (await passes()) passed++;
    }
    expect(passed).toBeGreaterThanOrEqual(590);
    expect(passed).toBeLessThanOrEqual(600);
  });

  test('a burst of less than ten is exact', async () => {
    const db = await open();
    const clock = { nowMs: 1_000 };
    const { take } = processes(db, 3, clock);
    const small = { perMinute: 20, burst: 2 };
    const ask = (n: number) => take[n]?.('key', small);
    expect([await ask(0), await ask(1), await ask(2)]).toEqual([undefined, undefined, 3]);
    clock.nowMs += 2_999;
    expect([await ask(0), await ask(2)]).toEqual([1, 1]);
    clock.nowMs += 1;
    expect([await ask(2), await ask(1)]).toEqual([undefined, 3]);
  });

  test('a rate of 0 is no limit, and asks nothing; keys are apart', async () => {
    const db = await open();
    const { take, counted } = processes(db, 1, { nowMs: 1_000 });
    expect(take[0]?.('key', { perMinute: 0, burst: 1 })).toBeUndefined();
    expect(counted.leases).toBe(0);
    const one = { perMinute: 1, burst: 1 };
    expect([await take[0]?.('a', one), await take[0]?.('a', one), await take[0]?.('b', one)]).toEqual([
      undefined,
      60,
      undefined,
    ]);
    expect(await db.query(sql`select key from shared_rate where key in ('a', 'b')`)).toEqual([]); // digests only
  });

  test('in any stretch of time all processes together pass at most what burst and rate allow', async () => {
    const db = await open();
    const step = fc.record({
      gapMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 20_000 })),
      by: fc.nat({ max: 3 }),
      together: fc.integer({ min: 1, max: 12 }),
    });
    const clock = { nowMs: 1_000 };
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 20, maxLength: 80 }),
        fc.integer({ min: 1, max: 2_000 }),
        fc.integer({ min: 1, max: 60 }),
        async (steps, perMinute, burst) => {
          const key = `run ${++run}`;
          const { take } = processes(db, 4, clock);
          const passes: { atMs: number; count: number }[] = [];
          for (const { gapMs, by, together } of steps) {
            clock.nowMs += gapMs;
            const answers = await Promise.all(
              Array.from({ length: together }, () => take[by]?.(key, { perMinute, burst })),
            );
            for (const seconds of answers) if (seconds !== undefined) expect(seconds).toBeGreaterThanOrEqual(1);
            passes.push({ atMs: clock.nowMs, count: answers.filter((seconds) => seconds === undefined).length });
          }
          for (const [from, { atMs }] of passes.entries()) {
            let sum = 0;
            for (const pass of passes.slice(from)) {
              sum += pass.count;
              expect(sum).toBeLessThanOrEqual(burst + ((pass.atMs - atMs) * perMinute) / 60_000 + 1e-6);
            }
          }
        },
      ),
      { numRuns: runs },
    );
  });

  test('nothing starves: half of the rate, spread over four processes, is never refused', async () => {
    const db = await open();
    const clock = { nowMs: 1_000 };
    const { take } = processes(db, 4, clock);
    let seed = 7;
    const random = () => {
      seed = (seed * 16_807) % 2_147_483_647;
      return seed / 2_147_483_647;
    };
    const answers = new Set<number | undefined>();
    for (let n = 0; n < 1_500; n++) {
      clock.nowMs += Math.round(random() * 400); // five a second; the rate is ten
      answers.add(await take[Math.floor(random() * 4)]?.('key', rate));
    }
    expect(answers).toEqual(new Set([undefined]));
  });

  test('under a flood all of the rate passes, and refusals cost four statements a second at most', async () => {
    const db = await open();
    const clock = { nowMs: 1_000 };
    const { take, counted } = processes(db, 3, clock);
    let passed = 0;
    for (let ms = 0; ms < 30_000; ms += 10) {
      clock.nowMs += 10;
      for (const one of take) if ((await one('key', rate)) === undefined) passed++;
    }
    expect(passed).toBeGreaterThanOrEqual(90 + 300 * 0.97); // 9,000 were sent
    expect(passed).toBeLessThanOrEqual(400);
    expect(counted.leases).toBeLessThanOrEqual(passed + 3 * 4 * 30);
  });

  test('a busy key costs a statement for each portion, not for each request (growth)', async () => {
    const db = await open();
    const leasesOf = async (count: number, large: typeof rate) => {
      const clock = { nowMs: 1_000_000 };
      const { take, counted } = processes(db, 2, clock);
      for (let n = 0; n < count; n++) {
        clock.nowMs += 10; // a hundred a second
        expect(await take[n % 2]?.(`${count}`, large)).toBeUndefined();
      }
      return counted.leases;
    };
    const fast = { perMinute: 12_000, burst: 12_000 };
    const [few, many] = [await leasesOf(1_000, fast), await leasesOf(4_000, fast)];
    expect(few).toBeLessThanOrEqual(20);
    expect(many).toBeLessThanOrEqual(40);
  });

  test('callers that come at once share one statement', async () => {
    const db = await open();
    const { take, counted } = processes(db, 1, { nowMs: 1_000 });
    const answers = await Promise.all(Array.from({ length: 60 }, () => take[0]?.('key', rate)));
    expect(new Set(answers)).toEqual(new Set([undefined]));
    expect(counted.leases).toBeLessThanOrEqual(2);
  });

  test('large amounts pass whole or not at all, and small ones wait for none of them', async () => {
    const db = await open();
    const clock = { nowMs: 1_000 };
    const { take } = processes(db, 2, clock);
    const small = { perMinute: 60, burst: 9 };
    expect(await take[0]?.('bytes', small, 7)).toBeUndefined();
    expect(await take[1]?.('bytes', small, 5)).toBe(3);
    expect(await take[1]?.('bytes', small, 2)).toBeUndefined();
    clock.nowMs += 5_000;
    expect(await take[1]?.('bytes', small, 5)).toBeUndefined();
  });

  test('a clock that was set back gives nothing, and keeps no key waiting for hours', async () => {
    const db = await open();
    const clock = { nowMs: 10_000_000 };
    const { take } = processes(db, 1, clock);
    const one = { perMinute: 1, burst: 1 };
    expect(await take[0]?.('key', one)).toBeUndefined();
    clock.nowMs -= 3_600_000;
    expect(await take[0]?.('key', one)).toBe(60);
    clock.nowMs += 60_000;
    expect(await take[0]?.('key', one)).toBeUndefined();
  });

  test('rows are deleted once their bucket is full again', async () => {
    const db = await open();
    const clock = { nowMs: 1_000 };
    const { take } = processes(db, 1, clock);
    await take[0]?.('old', rate);
    clock.nowMs += 3_600_000;
    await take[0]?.('new', rate);
    const count = async () => Number((await db.query<{ n: number }>(sql`select count(*) as n from shared_rate`))[0]?.n);
    await expect.poll(count).toBe(1);
  });
});

test('on a PostgreSQL its own clock counts, so that processes with wrong ones agree', async () => {
  const db = await openPostgresWithRates();
  const clock = sql`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`;
  const slow = { perMinute: 1, burst: 9 };
  const takes = [0, 3_600_000, -3_600_000].map((offMs) => {
    const now = () => Date.now() + offMs;
    return createSharedRates({ db, now, clock, own: createRateLimit(now).take });
  });
  let passed = 0;
  for (let n = 0; n < 30; n++) if ((await takes[n % 3]?.('key', slow)) === undefined) passed++;
  expect(passed).toBe(9);
});

test('while the database is away each process counts for itself, and asks it once a second', async () => {
  const db = await openSqliteWithRates();
  const clock = { nowMs: 1_000 };
  const state = { isAway: true, asked: 0 };
  const now = () => clock.nowMs;
  const take = createSharedRates({
    db: {
      ...db,
      async query<R>(statement: Statement) {
        state.asked++;
        if (state.isAway) throw new StoreError('unavailable', 'away');
        return db.query<R>(statement);
      },
    },
    now,
    own: createRateLimit(now).take,
  });
  const one = { perMinute: 1, burst: 2 };
  expect([await take('key', one), await take('key', one), await take('key', one)]).toEqual([undefined, undefined, 60]);
  expect(state.asked).toBe(1);
  state.isAway = false;
  clock.nowMs += 1_000;
  expect(await take('key', one)).toBeUndefined(); // the row has all of it: nothing was counted there
});
