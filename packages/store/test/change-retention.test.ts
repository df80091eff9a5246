import { changeLog, type Database, openSqlite, pruneChanges, type Statement, sql } from '@gantry/store';
import { expect, test } from 'vitest';

const log = changeLog(sql`change_log`);
const minute = 60_000;

async function opened() {
  const db = openSqlite({ file: ':memory:' });
  await db.query(log.create);
  let underWay: Promise<unknown> = Promise.resolve();
  const watched: Database = {
    ...db,
    query<Row>(statement: Statement) {
      const rows = db.query<Row>(statement);
      underWay = rows;
      return rows;
    },
  };
  const clock = { nowMs: 0 };
  let tick = () => {};
  let isEnded = false;
  const end = pruneChanges({
    db: watched,
    log,
    now: () => clock.nowMs,
    every(work) {
      tick = work;
      return () => {
        isEnded = true;
      };
    },
  });
  const positions = async () =>
    (await db.query<{ position: number }>(sql`select position from change_log order by position`)).map(
      ({ position }) => position,
    );
  return {
    db,
    end,
    isEnded: () => isEnded,
    positions,
    write: () => db.query(log.add({ topic: 'people', memberId: 'a', appId: undefined })),
    /** Lets minutes pass, one by one, and waits for what each look at the log does. */
    async pass(minutes = 1) {
      for (let n = 0; n < minutes; n++) {
        clock.nowMs += minute;
        tick();
        for (let last: unknown; last !== underWay; ) {
          last = underWay;
          await underWay.catch(() => undefined);
        }
      }
    },
  };
}

test('changes are kept for an hour, and the last one for longer: reading begins at it', async () => {
  const { write, pass, positions } = await opened();
  await write();
  await pass();
  await write();
  await write();
  await pass(59);
  expect(await positions()).toEqual([1, 2, 3]);
  await pass();
  expect(await positions()).toEqual([2, 3]);
  await pass();
  expect(await positions()).toEqual([3]);
  await pass(120);
  expect(await positions()).toEqual([3]);
});

test('only the newest 200,000 changes are kept', async () => {
  const { db, pass, positions } = await opened();
  await db.query(sql`
    with recursive n (i) as (select 1 union all select i + 1 from n where i < 200010)
    insert into change_log (topic, member_id) select 'people', 'a' from n`);
  await pass();
  const left = await positions();
  expect([left.length, left[0]]).toEqual([200_000, 11]);
});

test('an empty log, and one that is away, are left alone', async () => {
  const { db, write, pass, positions } = await opened();
  await pass();
  expect(await positions()).toEqual([]);
  await db.query(sql`alter table change_log rename to away`);
  await pass();
  await db.query(sql`alter table away rename to change_log`);
  await write();
  await pass();
  expect(await positions()).toEqual([1]);
});

test('pruning ends when it is stopped', async () => {
  const { end, isEnded } = await opened();
  expect(isEnded()).toBe(false);
  end();
  expect(isEnded()).toBe(true);
});
