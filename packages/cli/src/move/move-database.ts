import { createHash } from 'node:crypto';
import { readUnfinishedMove, schemaOf, UsageError } from '@gantry/server';
import { type Database, migrate, type Row, type Statement, sql } from '@gantry/store';
import { keyOfRow, type RowKey, readRows, rowText } from './read-rows.ts';
import { type MovedTable, movedTables } from './tables.ts';

export interface MoveOptions {
  /** Opened alone, like the new one. */
  readonly from: Database;
  readonly to: Database;
  readonly kind: 'site' | 'proxy';
  /** Name of the source by which a later run recognizes it. */
  readonly source: string;
  /** Work in the new database before it can be used. Can be repeated. */
  readonly prepare: () => Promise<void>;
  readonly onProgress?: (progress: MoveProgress) => void;
}

/** Rows are read twice: to copy them, and to compare both databases. */
export interface MoveProgress {
  readonly step: 'copy' | 'compare';
  readonly rows: number;
  readonly total: number;
}

/**
 * Copies all tables into an empty database of the same schema, or goes on with an interrupted copy,
 * then compares them (docs/decisions/0079-moving.md). Until then no server starts on the new one.
 *
 * @returns Rows of each table that has any.
 * @throws UsageError for a database that is not empty, Error if both differ in the end.
 */
export async function moveDatabase(options: MoveOptions): Promise<Readonly<Record<string, number>>> {
  const { from, to, kind, source, prepare, onProgress = () => {} } = options;
  const tables = movedTables[kind];
  for (const set of schemaOf(kind)) await migrate(from, set);
  const done = await begin(to, source);
  for (const set of schemaOf(kind)) await migrate(to, set);
  await refuseOtherSchema(from, to);

  const counts = new Map<string, number>();
  for (const { name } of tables) counts.set(name, await countRows(from, name));
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);

  let copied = 0;
  for (const table of tables) {
    const state = done.get(table.name);
    let rows = state?.rows ?? 0;
    copied += rows;
    for await (const page of readRows(from, table, state?.last)) {
      rows += page.length;
      copied += page.length;
      await to.batch([insertRows(table, page), saveState(table, keyOfRow(table, page.at(-1) as Row), rows)]);
      onProgress({ step: 'copy', rows: copied, total });
    }
  }

  let compared = 0;
  for (const table of tables) {
    const count = (rows: number) => {
      compared += rows;
      onProgress({ step: 'compare', rows: compared, total });
    };
    const [old, copy] = await Promise.all([digestOf(from, table, count), digestOf(to, table)]);
    if (old === copy) continue;
    throw new Error(
      `The table ${table.name} differs: the old database was written to since the move began. Empty the new one, and run gantry move again.`,
    );
  }
  await prepare();
  await to.query(sql`drop table unfinished_move`);
  return Object.fromEntries([...counts].filter(([, count]) => count > 0));
}

interface TableState {
  readonly last: RowKey;
  readonly rows: number;
}

/** Returns how far an earlier run came with each table. */
async function begin(to: Database, source: string): Promise<ReadonlyMap<string, TableState>> {
  const states = await readUnfinishedMove(to);
  if (states === undefined) {
    await refuseTables(to);
    // Before all other tables: an interrupted start can be told from a site.
    await to.batch([
      sql`create table unfinished_move (table_name text primary key, last_key text not null, row_count bigint not null)`,
      sql`insert into unfinished_move (table_name, last_key, row_count) values ('', ${source}, 0)`,
    ]);
    return new Map();
  }
  const earlier = states.find(({ table_name: name }) => name === '')?.last_key;
  if (earlier !== source) {
    throw new UsageError(`The new database is half filled from ${earlier}, not from ${source}: name another one.`);
  }
  return new Map(
    states.map(({ table_name: name, last_key: last, row_count: rows }) => [
      name,
      { last: name === '' ? [] : (JSON.parse(last) as RowKey), rows },
    ]),
  );
}

async function refuseTables(to: Database): Promise<void> {
  const isUsed = await to.query(sql`select 1 from schema_migration`).then(
    () => true,
    () => false, // no such table
  );
  if (isUsed) throw new UsageError('The new database is not empty: it has the tables of a site. Name an empty one.');
}

async function refuseOtherSchema(from: Database, to: Database): Promise<void> {
  const read = async (db: Database) =>
    JSON.stringify(
      await db.query(sql`
        select set_name, number from schema_migration where set_name <> 'nonces' order by set_name, number`),
    );
  if ((await read(from)) !== (await read(to))) {
    throw new UsageError('The database is of a newer version of Gantry: move it with that version.');
  }
}

async function countRows(db: Database, table: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`select count(*) as count from ${sql.names([table])}`);
  return row?.count ?? 0;
}

function insertRows({ name }: MovedTable, rows: readonly Row[]): Statement {
  const columns = Object.keys(rows[0] as Row);
  const values = rows.map((row) => columns.map((column) => row[column] ?? null));
  return sql`insert into ${sql.names([name])} (${sql.names(columns)}) values ${sql.rows(values)}`;
}

/** Stores the position to resume at, in the transaction of its rows. */
function saveState({ name }: MovedTable, last: RowKey, rows: number): Statement {
  return sql`
    insert into unfinished_move (table_name, last_key, row_count) values (${name}, ${JSON.stringify(last)}, ${rows})
    on conflict (table_name) do update set last_key = excluded.last_key, row_count = excluded.row_count`;
}

/** Returns the number of rows with a digest of them, in the order of their keys. */
async function digestOf(db: Database, table: MovedTable, onRows = (_: number) => {}): Promise<string> {
  const hash = createHash('sha256');
  let count = 0;
  for await (const rows of readRows(db, table)) {
    for (const row of rows) hash.update(`${rowText(row)}\n`);
    count += rows.length;
    onRows(rows.length);
  }
  return `${count} ${hash.digest('hex')}`;
}
