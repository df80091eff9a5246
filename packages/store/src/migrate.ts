import { type Database, StoreError } from './database.ts';
import { type Statement, sql } from './sql.ts';

/** One numbered step of a schema. A released one never changes; a new one corrects it. */
export interface Migration {
  /** Ascending within its set, from 1. */
  readonly number: number;
  readonly name: string;
  readonly statements: readonly Statement[];
  /**
   * Newest migration that an older version must have to run on a database with this one, which then
   * only adds what that version neither reads nor writes
   * (docs/decisions/0041-two-versions-at-once.md). Default: its own number, so all refuse.
   */
  readonly oldest?: number;
}

/** The schema of one owner. Owners can share a database; `site` concerns the tables of two. */
export interface MigrationSet {
  readonly name: 'service' | 'proxy' | 'keys' | 'nonces' | 'site';
  readonly migrations: readonly Migration[];
  /** Version of Gantry with these migrations, which older ones name when they refuse. */
  readonly release?: string;
}

/**
 * Brings a database up to the schema of this version: each missing migration as one transaction, in
 * order. Processes that start at once may all call it. A newer database is left as it is. Where
 * nothing is missing, only rows are read, so that the user needs no right to change the schema.
 *
 * @throws StoreError with one sentence if this version cannot work with the changes of a newer one.
 */
export async function migrate(db: Database, set: MigrationSet, now = Date.now): Promise<void> {
  const missing = await missingMigrations(db, set);
  if (missing.length === 0) return;
  await db.query(sql`
    create table if not exists schema_migration (
      set_name text not null, number integer not null, name text not null, applied_at_ms bigint not null,
      primary key (set_name, number)
    )`);
  await db.query(sql`
    create table if not exists schema_release (
      set_name text not null, number integer not null, oldest integer not null, release text not null,
      primary key (set_name, number)
    )`);
  for (const migration of missing) await apply(db, set, migration, now());
}

/**
 * Lists the migrations that a database lacks, and changes nothing.
 *
 * @throws StoreError as `migrate` does.
 */
export async function missingMigrations(db: Database, set: MigrationSet): Promise<readonly Migration[]> {
  const applied = await appliedNumbers(db, set.name).catch((error: unknown) => {
    if (error instanceof StoreError && error.reason === 'other') return new Set<number>(); // no such table yet
    throw error;
  });
  await refuseTooNew(db, set, applied);
  return set.migrations.filter(({ number }) => !applied.has(number));
}

async function refuseTooNew(db: Database, set: MigrationSet, applied: ReadonlySet<number>): Promise<void> {
  const { name, migrations, release = '' } = set;
  const newest = migrations.at(-1)?.number ?? 0;
  const unknown = [...applied].filter((number) => number > newest);
  if (unknown.length === 0) return;
  const rows = await db.query<{ number: number; oldest: number; release: string }>(sql`
    select number, oldest, release from schema_release where set_name = ${name} and number > ${newest} order by number`);
  const working = new Set(rows.filter(({ oldest }) => oldest <= newest).map(({ number }) => number));
  if (unknown.every((number) => working.has(number))) return;
  const by = rows.at(-1)?.release;
  const [writer, needed] = by ? [` of Gantry ${by}`, `Gantry ${by} or later`] : ['', 'a newer version'];
  const database = `The database has ${name} schema ${Math.max(...unknown)}${writer}`;
  const thisVersion = `this version of Gantry${release && `, ${release},`} knows only ${newest}`;
  throw new StoreError(
    'other',
    `${database}, but ${thisVersion}: run ${needed}, or restore the backup from before the upgrade.`,
  );
}

async function apply(db: Database, set: MigrationSet, migration: Migration, nowMs: number): Promise<void> {
  const { number, name, statements, oldest = number } = migration;
  // The record comes first: of two processes, the second fails on it before it changes anything.
  const record = sql`
    insert into schema_migration (set_name, number, name, applied_at_ms) values (${set.name}, ${number}, ${name}, ${nowMs})`;
  const compatibility = sql`
    insert into schema_release (set_name, number, oldest, release) values (${set.name}, ${number}, ${oldest}, ${set.release ?? ''})
    on conflict (set_name, number) do update set oldest = excluded.oldest, release = excluded.release`;
  try {
    await db.batch([record, compatibility, ...statements]);
  } catch (error) {
    if (!(await appliedNumbers(db, set.name)).has(number)) throw error;
  }
}

async function appliedNumbers(db: Database, set: string): Promise<ReadonlySet<number>> {
  const rows = await db.query<{ number: number }>(sql`select number from schema_migration where set_name = ${set}`);
  return new Set(rows.map((row) => row.number));
}
