import { serviceMigrations } from '@gantry/service';
import { type Database, openSqlite } from '@gantry/store';
import { onTestFinished } from 'vitest';
import { migratedSqlite } from '../../store/test/migrated-sqlite.ts';
import { createSchema, openEmptyPostgres } from '../../store/test/postgres.ts';
import { openShards } from './shards.ts';

/** Opens SQLite in memory with the service's tables, for claims that no database can change. */
export const openServiceSqlite = migratedSqlite({ name: 'service', migrations: serviceMigrations });

/** Databases that contract tests run on. They have no rows; the service's tables may be there. */
export const databases: readonly { readonly name: string; readonly open: () => Promise<Database> }[] = [
  { name: 'SQLite', open: openServiceSqlite },
  { name: 'PostgreSQL', open: openEmptyPostgres },
  ...(process.env.GANTRY_TEST_SHARDS === undefined ? [] : [{ name: 'PostgreSQL in shards', open: openShards }]),
];

/** The same for one long work, such as a large import. They have no tables. */
export const bulkDatabases: readonly { readonly name: string; readonly open: () => Promise<Database> }[] = [
  { name: 'SQLite', open: async () => openSqlite({ file: ':memory:', bulk: true }) },
  {
    name: 'PostgreSQL',
    async open() {
      const schema = await createSchema();
      const db = schema.connect({ bulk: true });
      onTestFinished(async () => {
        await db.close();
        await schema.remove();
      });
      return db;
    },
  },
];
