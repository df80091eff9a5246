import { type Database, StoreError } from './database.ts';
import { type Statement, sql } from './sql.ts';

/** One numbered step of a schema. Once released it never changes; a new one corrects it. */
export interface Migration {
  /** Ascending within its set, from 1. */
  readonly number: number;
  readonly name: string;
  readonly statements: readonly Statement[];
}

/** The schema of one owner. Two owners can share a database; `site` is what then concerns the tables of both. */
export interface MigrationSet {
  readonly name: 'service' | 'proxy' | 'nonces' | 'site';
  readonly migrations: readonly Migration[];
}

/**
 * Brings a database up to the schema of this version: each missing migration as one transaction, in order. Processes that
 * start at once may all call it.
 *
 * @throws StoreError with one clear sentence if the database was written by a newer version; nothing is changed then.
 */
export async function migrate(db: Database, { name, migrations }: MigrationSet, now = Date.now): Promise<void> {
  await db.query(sql`
    create table if not exists schema_migration (
      set_name text not null, number integer not null, name text not null, applied_at_ms bigint not null,
      primary key (set_name, number)
    )`);
  const applied = await appliedNumbers(db, name);
  const newest = migrations.at(-1)?.number ?? 0;
  const highest = Math.max(0, ...applied);
  if (highest > newest) {
    throw new StoreError(
      'other',
      `The database has ${name} schema ${highest}, but this version of Gantry knows only ${newest}: run a newer version.`,
    );
  }
  for (const migration of migrations) {
    if (!applied.has(migration.number)) await apply(db, name, migration, now());
  }
}

async function apply(db: Database, set: string, { number, name, statements }: Migration, nowMs: number): Promise<void> {
  // The record comes first: of two processes, the second fails on it before it changes anything.
  const record = sql`
    insert into schema_migration (set_name, number, name, applied_at_ms) values (${set}, ${number}, ${name}, ${nowMs})`;
  try {
    await db.batch([record, ...statements]);
  } catch (error) {
    if (!(await appliedNumbers(db, set)).has(number)) throw error;
  }
}

async function appliedNumbers(db: Database, set: string): Promise<ReadonlySet<number>> {
  const rows = await db.query<{ number: number }>(sql`select number from schema_migration where set_name = ${set}`);
  return new Set(rows.map((row) => row.number));
}
