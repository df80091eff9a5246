import { createSchema } from '../../store/test/postgres.ts';

/** Databases that a site runs on. Without an address it has the file of its folder. */
export const databases: readonly { readonly name: string; readonly open: () => Promise<string | undefined> }[] = [
  { name: 'SQLite', open: async () => undefined },
  { name: 'PostgreSQL', open: async () => (await createSchema()).url },
];
