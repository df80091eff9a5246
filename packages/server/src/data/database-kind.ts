import { type Database, sql } from '@gantry/store';

/** Returns the use of a database: a site, a proxy in front of an existing one, or none yet. */
export async function databaseKind(db: Database): Promise<'site' | 'proxy' | 'new'> {
  const names = await db
    .query<{ set_name: string }>(sql`select distinct set_name from schema_migration`)
    .catch(() => []); // the table does not exist yet
  if (names.some(({ set_name: name }) => name === 'service')) return 'site';
  return names.length > 0 ? 'proxy' : 'new';
}

/** Returns whether a PostgreSQL has tables, and none of them shows that they are Gantry's. */
export async function belongsToAnother(db: Database): Promise<boolean> {
  if ((await databaseKind(db)) !== 'new') return false;
  // Extensions bring views of their own. A first start that was killed has left the two names.
  const [row] = await db.query(sql`
    select 1 as one from pg_class
    where relnamespace = (select oid from pg_namespace where nspname = current_schema())
      and relkind in ('r', 'p', 'f', 'v', 'm') and relname not in ('schema_migration', 'schema_release')
      and not exists (select 1 from pg_depend where objid = pg_class.oid and deptype = 'e') limit 1`);
  return row !== undefined;
}
