import { serviceMigrations } from '@gantry/service';
import type { Database } from '@gantry/store';
import { migratedSqlite } from '../../store/test/migrated-sqlite.ts';
import { openEmptyPostgres } from '../../store/test/postgres.ts';

/** Databases that contract tests run on. They have no rows; the service's tables may be there. */
export const databases: readonly { readonly name: string; readonly open: () => Promise<Database> }[] = [
  { name: 'SQLite', open: migratedSqlite({ name: 'service', migrations: serviceMigrations }) },
  { name: 'PostgreSQL', open: openEmptyPostgres },
];
