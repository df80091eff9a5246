import { type Database, type Migration, migrate, type Row, type SqlValue, type Statement, sql } from '@gantry/store';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

/** One empty database that exists for one test. */
export interface StoreUnderTest {
  /** Each call is a connection of its own to the same data. */
  connect(): Database;
  remove(): Promise<void>;
}

/** Tests the contract of every driver. */
export function describeStore(name: string, create: () => Promise<StoreUnderTest>): void {
  describe(name, () => {
    let store: StoreUnderTest;
    let db: Database;
    const opened: Database[] = [];

    const connect = (): Database => {
      const connection = store.connect();
      opened.push(connection);
      return connection;
    };

    beforeEach(async () => {
      store = await create();
      db = connect();
      await db.batch([
        sql`create table note (id text primary key, owner text not null, body text, written_at_ms bigint)`,
        sql`create table picture (id text primary key, note_id text not null references note (id), bytes blob)`,
      ]);
    });

    afterEach(async () => {
      await Promise.all(opened.splice(0).map((connection) => connection.close()));
      await store.remove();
    });

    const ids = async (): Promise<SqlValue[]> =>
      column(await db.query(sql`select id from note order by length(id), id`));

    test('a snapshot sees one moment, and writes do not wait for it', async () => {
      await db.query(sql`insert into note (id, owner) values ('1', 'a')`);
      const seen = await db.snapshot(async (query) => {
        const count = async () => (await query<{ n: number }>(sql`select count(*) as n from note`))[0]?.n;
        const before = await count();
        await db.query(sql`insert into note (id, owner) values ('2', 'a')`);
        await db.batch([sql`delete from note where id = '1'`, sql`insert into note (id, owner) values ('3', 'a')`]);
        return [before, await count()];
      });
      expect(seen).toEqual([1, 1]);
      expect(await ids()).toEqual(['2', '3']);
      await expect(db.snapshot((query) => query(sql`select nothing from note`))).rejects.toMatchObject({
        reason: 'other',
      });
      await expect(db.snapshot((query) => query(sql`delete from note`))).rejects.toThrow();
      expect(await ids()).toEqual(['2', '3']);
    });

    test('returns the rows of a query, and none for a write without returning', async () => {
      const none = await db.query(sql`insert into note (id, owner) values (${'1'}, ${'7'})`);
      const rows = await db.query<{ id: string; owner: string }>(sql`select id, owner from note`);
      expect(none).toEqual([]);
      expect(rows.map(({ id, owner }) => ({ id, owner }))).toEqual([{ id: '1', owner: '7' }]);
    });

    test('undoes all of a batch when its last statement fails (security rule 22)', async () => {
      await db.query(insert('1'));
      const batch = db.batch([insert('2'), insert('3'), insert('1')]);
      await expect(batch).rejects.toMatchObject({ name: 'StoreError', reason: 'constraint' });
      expect(await ids()).toEqual(['1']);
    });

    test('undoes all of a batch when its text is wrong', async () => {
      const batch = db.batch([insert('2'), sql`insert into no_such_table (id) values (${'2'})`]);
      await expect(batch).rejects.toMatchObject({ name: 'StoreError', reason: 'other' });
      expect(await ids()).toEqual([]);
    });

    test('shows a later statement of a batch what an earlier one wrote, and returns the rows of each', async () => {
      const [none, some] = await db.batch([insert('1'), sql`select id from note`]);
      expect(none).toEqual([]);
      expect(column(some ?? [])).toEqual(['1']);
    });

    test('accepts a batch of nothing', async () => {
      expect(await db.batch([])).toEqual([]);
    });

    test('goes on after a failed statement and a failed batch', async () => {
      await expect(db.query(sql`select nothing from nowhere`)).rejects.toThrow();
      await expect(db.batch([insert('1'), insert('1')])).rejects.toThrow();
      await db.batch([insert('1')]);
      expect(await ids()).toEqual(['1']);
    });

    test('refuses a row whose parent is missing', async () => {
      const orphan = db.query(sql`insert into picture (id, note_id) values (${'1'}, ${'no such note'})`);
      await expect(orphan).rejects.toMatchObject({ reason: 'constraint' });
    });

    test('refuses two statements in one text instead of running the first alone', async () => {
      await db.query(insert('1'));
      await expect(db.query(sql`select 1 as one; delete from note`)).rejects.toMatchObject({ reason: 'other' });
      expect(await ids()).toEqual(['1']);
    });

    test('keeps any text unchanged, since values are never part of the statement (security rule 19)', async () => {
      await fc.assert(
        fc.asyncProperty(hostileText, async (text) => {
          const [row] = await db.query(sql`
            insert into note (id, owner, body) values (${'hostile'}, ${text}, ${text})
            on conflict (id) do update set owner = excluded.owner, body = excluded.body returning owner, body`);
          expect([row?.owner, row?.body]).toEqual([text, text]);
        }),
        { numRuns: 200 },
      );
    });

    test('finds by hostile text only what has that text', async () => {
      await db.batch([insert('1'), insert('2')]);
      expect(await db.query(sql`select id from note where id = ${"1' or '1'='1"}`)).toEqual([]);
    });

    test('keeps names such as __proto__ and constructor as data (security rule 19)', async () => {
      await db.batch(['__proto__', 'constructor', 'toString'].map(insert));
      expect(await ids()).toEqual(['toString', '__proto__', 'constructor']);
    });

    test('leaves comments, question marks and dollars inside SQL text alone', async () => {
      const [row] = await db.query(
        sql`select '? -- $1 /* */' as a, -- what is this? it costs $1
            ${'value'} || '?' as b /* ? */`,
      );
      expect([row?.a, row?.b]).toEqual(['? -- $1 /* */', 'value?']);
    });

    test('orders ids by length, then code point (contract §1)', async () => {
      await db.batch(['10', 'b', '9', 'B', '100', 'a'].map(insert));
      expect(await ids()).toEqual(['9', 'B', 'a', 'b', '10', '100']);
    });

    test('stores whole numbers as whole numbers, also where a column is text', async () => {
      await db.query(sql`insert into note (id, owner, written_at_ms) values (${'1'}, ${'7'}, ${1_700_000_000_123})`);
      const [row] = await db.query(
        sql`select written_at_ms, cast(${20} as text) as twenty from note where written_at_ms / ${2} = ${850_000_000_061}`,
      );
      expect([row?.written_at_ms, row?.twenty]).toEqual([1_700_000_000_123, '20']);
    });

    test('keeps null and bytes, as the first value too', async () => {
      const bytes = Uint8Array.of(0, 255, 63, 39);
      await db.query(sql`insert into note (body, id, owner) values (${null}, ${'1'}, ${'7'})`);
      await db.query(sql`insert into picture (bytes, id, note_id) values (${bytes}, ${'1'}, ${'1'})`);
      const [row] = await db.query(
        sql`select note.body, picture.bytes from note join picture on picture.note_id = note.id`,
      );
      expect(row?.body).toBe(null);
      expect(Buffer.from(row?.bytes as Uint8Array)).toEqual(Buffer.from(bytes));
    });

    test('lets one of 20 parallel guarded updates win (contract §4, interval)', async () => {
      await db.query(sql`insert into note (id, owner, written_at_ms) values (${'1'}, ${'7'}, ${1_000})`);
      const connections = [db, connect(), connect(), connect()];
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          (connections[index % 4] as Database).query(sql`
            update note set written_at_ms = ${31_000} where id = ${'1'} and written_at_ms <= ${31_000 - 30_000}
            returning id`),
        ),
      );
      expect(answers.map((rows) => rows.length).sort()).toEqual([...new Array(19).fill(0), 1]);
    });

    test('loses no increment of parallel batches on four connections', async () => {
      await db.query(sql`insert into note (id, owner, written_at_ms) values (${'1'}, ${'7'}, ${0})`);
      const connections = [db, connect(), connect(), connect()];
      const increment = sql`update note set written_at_ms = written_at_ms + ${1} where id = ${'1'}`;
      await Promise.all(
        Array.from({ length: 40 }, (_, index) => (connections[index % 4] as Database).batch([increment, increment])),
      );
      expect(column(await db.query(sql`select written_at_ms from note`))).toEqual([80]);
    });

    test('shows one connection what another has committed', async () => {
      const other = connect();
      await other.query(insert('1'));
      expect(await ids()).toEqual(['1']);
    });

    test('keeps data when all connections close and one opens again', async () => {
      await db.query(insert('1'));
      await db.close();
      expect(column(await connect().query(sql`select id from note`))).toEqual(['1']);
    });

    test('says that it is unavailable once closed, and may be closed twice', async () => {
      await db.close();
      await db.close();
      await expect(db.query(sql`select 1 as one`)).rejects.toMatchObject({ name: 'StoreError', reason: 'unavailable' });
    });

    describe('migrate', () => {
      const first = { number: 1, name: 'albums', statements: [sql`create table album (id text primary key)`] };
      const second = {
        number: 2,
        name: 'first album',
        statements: [
          sql`insert into album (id) values (${'1'})`,
          sql`create index album_order on album (length(id), id)`,
        ],
      };
      const albums = async (): Promise<SqlValue[]> => column(await db.query(sql`select id from album`));

      test('applies each migration once, with its time', async () => {
        await migrate(db, { name: 'service', migrations: [first] }, () => 5);
        await migrate(db, { name: 'service', migrations: [first, second] }, () => 6);
        const rows = await db.query(
          sql`select set_name, number, name, applied_at_ms from schema_migration order by number`,
        );
        expect(rows.map((row) => [row.set_name, row.number, row.name, row.applied_at_ms])).toEqual([
          ['service', 1, 'albums', 5],
          ['service', 2, 'first album', 6],
        ]);
        expect(await albums()).toEqual(['1']);
      });

      test('counts the sets of service and proxy apart in one database', async () => {
        const grants = { number: 1, name: 'grants', statements: [sql`create table app_grant (id text primary key)`] };
        await migrate(db, { name: 'service', migrations: [first, second] });
        await migrate(db, { name: 'proxy', migrations: [grants] });
        expect(await db.query(sql`select id from app_grant`)).toEqual([]);
      });

      test('lets several processes start at once', async () => {
        const set = { name: 'service', migrations: [first, second] } as const;
        await Promise.all([db, connect(), connect(), connect()].map((connection) => migrate(connection, set)));
        expect(await albums()).toEqual(['1']);
      });

      test('undoes a migration that fails, names the fault, and applies its correction', async () => {
        const broken = {
          ...second,
          statements: [sql`insert into album (id) values (${'9'})`, sql`insert into nowhere`],
        };
        await expect(migrate(db, { name: 'service', migrations: [first, broken] })).rejects.toThrow(
          /nowhere|syntax|input/,
        );
        await migrate(db, { name: 'service', migrations: [first, second] });
        expect(await albums()).toEqual(['1']);
      });

      test('reports a constraint that a migration itself breaks', async () => {
        const twice = { ...second, statements: [...second.statements, ...second.statements] };
        const migration = migrate(db, { name: 'service', migrations: [first, twice] });
        await expect(migration).rejects.toMatchObject({ reason: 'constraint' });
      });

      test('refuses a database that a newer version wrote (security rule 24)', async () => {
        await migrate(db, { name: 'service', migrations: [first, second] });
        await expect(migrate(db, { name: 'service', migrations: [first] })).rejects.toThrow(
          'The database has service schema 2, but this version of Gantry knows only 1: run a newer version, or restore the backup from before the upgrade.',
        );
      });

      const older = { name: 'service', migrations: [first], release: '0.2.0' } as const;
      const newer = (...more: readonly Migration[]) =>
        ({ name: 'service', migrations: [first, ...more], release: '0.3.0' }) as const;
      const written = async () => column(await db.query(sql`select name from schema_migration order by number`));

      test('runs on a database whose newer migrations only add, and changes nothing (ADR 41)', async () => {
        await migrate(db, newer({ ...second, oldest: 1 }));
        await migrate(db, older);
        expect(await written()).toEqual(['albums', 'first album']);
      });

      test.each<[string, readonly Migration[]]>([
        ['needs all that came before', [{ ...second, oldest: 2 }]],
        [
          'is followed by one that needs it',
          [
            { ...second, oldest: 1 },
            { number: 3, name: 'third', statements: [] },
          ],
        ],
      ])('names both versions where a newer migration %s (security rule 24, ADR 41)', async (_, more) => {
        await migrate(db, newer(...more));
        const before = await written();
        await expect(migrate(db, older)).rejects.toThrow(
          /^The database has service schema \d of Gantry 0\.3\.0, but this version of Gantry, 0\.2\.0, knows only 1: run Gantry 0\.3\.0 or later, or restore the backup/,
        );
        expect(await written()).toEqual(before);
      });
    });
  });
}

const hostileText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('\0', '\x01', '\x02', '1', '\\') }),
  fc.constantFrom(`'; drop table note; --`, `"`, `''`, '?', '$1', `\\'`, '%_', ':id', '\u202e', '😀', 'é', '/*'),
);

function insert(id: string): Statement {
  return sql`insert into note (id, owner) values (${id}, ${'7'})`;
}

/** The first column of each row. */
function column(rows: readonly Row[]): SqlValue[] {
  return rows.map((row) => Object.values(row)[0] as SqlValue);
}
