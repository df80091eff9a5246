import { serviceMigrations } from '@gantry/service';
import type { Database } from '@gantry/store';
import { migratedSqlite } from '../../store/test/migrated-sqlite.ts';
import { openEmptyPostgres } from '../../store/test/postgres.ts';
import { openShards } from './shards.ts';

/** Opens SQLite in memory with the service's tables, for claims that no database can change. */
export const openServiceSqlite = migratedSqlite({ name: 'service', migrations: serviceMigrations });

/** Databases that contract tests run on. They have no rows; the service's tables may be there. */
export const databases: readonly { readonly name: string; readonly open: () => Promise<Database> }[] = [
  { name: 'SQLite', open: openServiceSqlite },
  { name: 'PostgreSQL', open: openEmptyPostgres },
  ...(process.env.GANTRY_TEST_SHARDS === undefined ? [] : [{ name: 'PostgreSQL in shards', open: openShards }]),
];
