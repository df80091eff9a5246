import { type Database, sql } from '@gantry/store';

/** Returns the use of a database: a site, a proxy in front of an existing one, or none yet. */
export async function databaseKind(db: Database): Promise<'site' | 'proxy' | 'new'> {
  const names = await db
    .query<{ set_name: string }>(sql`select distinct set_name from schema_migration`)
    .catch(() => []); // the table does not exist yet
  if (names.some(({ set_name: name }) => name === 'service')) return 'site';
  return names.length > 0 ? 'proxy' : 'new';
}
