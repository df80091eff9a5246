import { type Database, openSqlite } from '@gantry/store';

/** The databases that the contract's tests run on. Another one joins them here. */
export const databases: readonly { readonly name: string; readonly open: () => Promise<Database> }[] = [
  { name: 'SQLite', open: async () => openSqlite({ file: ':memory:' }) },
];
