import { type Database, openSqlite } from '@gantry/store';
import { openEmptyPostgres } from '../../store/test/postgres.ts';

/** Databases that contract tests run on. */
export const databases: readonly { readonly name: string; readonly open: () => Promise<Database> }[] = [
  { name: 'SQLite', open: async () => openSqlite({ file: ':memory:' }) },
  { name: 'PostgreSQL', open: openEmptyPostgres },
];
