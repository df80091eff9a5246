import { membersWhoAllowed } from '@gantry/proxy';
import { membersOfApps } from '@gantry/service';
import { sql } from '@gantry/store';
import { kindOf } from '../create-site-proxy.ts';
import type { Stores } from '../gantry.ts';

/** Counts the members who allowed an app, have it or saved something with it. */
export async function countMembers(stores: Stores, id: string): Promise<number> {
  return (await countAllMembers(stores)).get(id) ?? 0;
}

/** The same for every app, by id. Apps of no member are left out. */
export async function countAllMembers({ db }: Stores): Promise<ReadonlyMap<string, number>> {
  const isSite = (await kindOf(db)) === 'site';
  const members = isSite ? sql`${membersWhoAllowed} union ${membersOfApps}` : membersWhoAllowed;
  const rows = await db.query<{ app_id: string; members: number }>(sql`
    select app_id, count(*) as members from (${members}) as concerned group by app_id`);
  return new Map(rows.map((row) => [row.app_id, Number(row.members)]));
}
