import { membersWithGrants } from '@gantry/proxy';
import { membersOfApps } from '@gantry/service';
import { sql } from '@gantry/store';
import { databaseKind } from '../data/database-kind.ts';
import type { Stores } from '../data/stores.ts';

/**
 * Counts the members who allowed an app, have it, or have data saved by it.
 *
 * @example
 * import { mkdtempSync } from 'node:fs';
 * const data = mkdtempSync('/tmp/gantry-example-');
 * const stores = await openStores({ data, database: ':memory:' });
 * await countMembers(stores, 'quiz'); // 0
 * await stores.db.close();
 */
export async function countMembers(stores: Stores, id: string): Promise<number> {
  return (await countAllMembers(stores)).get(id) ?? 0;
}

/** Counts the same for all apps, by id. Apps without members are left out. */
export async function countAllMembers({ db }: Stores): Promise<ReadonlyMap<string, number>> {
  const isSite = (await databaseKind(db)) === 'site';
  const members = isSite ? sql`${membersWithGrants} union ${membersOfApps}` : membersWithGrants;
  const rows = await db.query<{ app_id: string; members: number }>(sql`
    select app_id, count(*) as members from (${members}) as concerned group by app_id`);
  return new Map(rows.map((row) => [row.app_id, Number(row.members)]));
}
