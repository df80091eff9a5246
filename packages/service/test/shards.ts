import { type Database, openPostgres, sql } from '@gantry/store';
import { fixed } from '../../store/test/postgres.ts';

// `npm run cluster -- sharding` runs tests on these (docs/guides/databases.md).

/** Opens the one database in shards of the run, and empties it. */
export async function openShards(): Promise<Database> {
  const db = openPostgres({ url: process.env.GANTRY_TEST_SHARDS ?? '' });
  const tables = await db.query<{ relname: string }>(sql`
    select relname from pg_class where relnamespace = (select oid from pg_namespace where nspname = current_schema())
      and relkind in ('r', 'p') and not relispartition and relname not in ('schema_migration', 'schema_release')`);
  await db.query(fixed(`truncate ${tables.map(({ relname }) => relname).join(', ')}`));
  return db;
}
