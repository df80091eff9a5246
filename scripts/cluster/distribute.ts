import { serviceMigrations } from '@gantry/service';
import { migrate, openPostgres } from '@gantry/store';
import type { PlainServer, PlainServers } from './servers.ts';

/** Tables by the column that decides on the server of a row (docs/decisions/0009). */
export type Distribution = Readonly<Record<string, string>>;

/** All that Gantry writes without `on conflict … do update`. */
export const friendships: Distribution = { friendship: 'member_id', block: 'blocked_id' };
export const withPosts: Distribution = { ...friendships, activity: 'member_id', keyed_post: 'member_id' };

/**
 * Spreads tables over the servers: the first holds everything else, and a third of their rows.
 *
 * Partitions elsewhere are foreign tables, so a table loses its unique keys over all servers, and
 * its references.
 */
export async function distribute({ servers, password }: PlainServers, tables: Distribution): Promise<void> {
  const [first, ...others] = servers as [PlainServer, ...PlainServer[]];
  for (const { url } of servers) {
    const db = openPostgres({ url });
    await migrate(db, { name: 'service', migrations: serviceMigrations });
    await db.close();
  }
  await first.query('create extension postgres_fdw');
  for (const [index, { port }] of others.entries()) {
    const options = `host '127.0.0.1', port '${port}', dbname 'gantry', async_capable 'true', fetch_size '1000'`;
    await first.query(`
      create server other${index + 1} foreign data wrapper postgres_fdw options (${options});
      create user mapping for public server other${index + 1} options (user 'gantry', password '${password}');
      grant usage on foreign server other${index + 1} to gantry`);
  }
  for (const [table, column] of Object.entries(tables)) {
    for (const server of servers) await server.query(withoutReferences(table));
    const part = (index: number) => `for values with (modulus ${servers.length}, remainder ${index})`;
    const elsewhere = others.map(
      (_, index) => `
        create foreign table ${table}_${index + 1} partition of ${table} ${part(index + 1)}
          server other${index + 1} options (table_name '${table}');`,
    );
    await first.query(`
      set role gantry;
      alter table ${table} rename to ${table}_0;
      create table ${table} (like ${table}_0 including defaults) partition by hash (${column});
      alter table ${table} attach partition ${table}_0 ${part(0)};
      ${elsewhere.join('')}`);
  }
}

/** Drops the references from a table: the rows that they name are on another server. */
function withoutReferences(table: string): string {
  return `
    do $$ declare name text; begin
      for name in select conname from pg_constraint where conrelid = '${table}'::regclass and contype = 'f' loop
        execute format('alter table ${table} drop constraint %I', name);
      end loop;
    end $$`;
}

/** Tries the rest of ADR 9's distribution. Resolves with the server's refusal of each step. */
export async function refusals(first: PlainServer): Promise<readonly string[]> {
  const tries = {
    'a unique key over all servers': 'create unique index on friendship (member_id, friend_id)',
    'a reference from a distributed table': 'alter table friendship add foreign key (member_id) references member (id)',
    'an upsert, as of AppData, versions, members and imported activities':
      "insert into friendship (member_id, friend_id) values ('1', '2') on conflict (member_id, friend_id) do update set friend_id = excluded.friend_id",
    'a merge in its place': `
      merge into friendship using (select n::text, '0' from generate_series(1, 9) as n) as new (a, b)
      on member_id = a and friend_id = b when not matched then insert values (a, b)`,
  };
  const lines: string[] = [];
  for (const [what, statement] of Object.entries(tries)) {
    const problem = await first.query(`begin; ${statement}; rollback`).then(
      () => 'is accepted',
      (error: Error) => error.message,
    );
    lines.push(`${what}: ${problem}`);
  }
  return lines;
}
