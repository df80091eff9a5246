import { proxyMigrations } from '@gantry/proxy';
import { nonceMigrations, serviceMigrations } from '@gantry/service';
import { type Database, type Migration, type MigrationSet, migrate, missingMigrations } from '@gantry/store';
import { release } from '@gantry/wire';
import { isPostgres, printableDatabase } from '../setup/database-address.ts';
import { UsageError } from '../setup/usage-error.ts';
import { mayCreateTables } from './open-database.ts';
import { keyMigrations } from './sealed-keys.ts';
import { siteMigrations } from './site-having.ts';
import { readUnfinishedMove } from './unfinished-move.ts';

/** Returns the migrations of this release for a whole site, or for `gantry proxy`. */
export function schemaOf(kind: 'site' | 'proxy'): readonly MigrationSet[] {
  const proxy = { name: 'proxy', migrations: proxyMigrations, release } as const;
  const ofServer = [proxy, keyMigrations()];
  if (kind === 'proxy') return ofServer;
  return [{ name: 'service', migrations: serviceMigrations, release }, ...ofServer, siteMigrations()];
}

/** A step that a database lacks. */
export interface MissingStep extends Pick<Migration, 'number' | 'name'> {
  readonly set: MigrationSet['name'];
}

/**
 * Brings an open database up to the schema of this release, the tables of nonces on a server
 * included.
 *
 * @param options.isCheck Changes nothing.
 * @returns The steps that were missing.
 * @throws UsageError if its user may not create the missing tables, or a move into it is
 * unfinished; StoreError as `migrate` does.
 */
export async function bringUpToDate(
  db: Database,
  { kind, database, isCheck = false }: { kind: 'site' | 'proxy'; database: string; isCheck?: boolean },
): Promise<readonly MissingStep[]> {
  const hasNonces = kind === 'site' && isPostgres(database);
  const sets = [...schemaOf(kind), ...(hasNonces ? [{ name: 'nonces', migrations: nonceMigrations } as const] : [])];
  if (await readUnfinishedMove(db)) {
    throw new UsageError('This database is filled by an unfinished gantry move: run that again first.');
  }
  const missing: MissingStep[] = [];
  for (const set of sets) {
    const steps = await missingMigrations(db, set);
    missing.push(...steps.map(({ number, name }) => ({ set: set.name, number, name })));
  }
  if (isCheck || missing.length === 0) return missing;
  if (!(await mayCreateTables(db, database))) {
    throw new UsageError(
      `The database at ${printableDatabase(database)} lacks ${missing.length} steps of the schema of Gantry ${release}, and its user may not create tables: run gantry migrate as the owner of the schema.`,
    );
  }
  for (const set of sets) await migrate(db, set);
  return missing;
}
