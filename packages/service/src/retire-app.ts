import { type Statement, sql } from '@gantry/store';
import { endHaving } from './store/having.ts';
import { everythingChanged } from './store/versions.ts';

/** Begins the ids of apps that were replaced. No app is registered under one. */
export const retiredPrefix = 'replaced:';

/**
 * Ends an app for all members, so that another one can have its id: its keys, who has it, what it saved for them, and
 * what was known of its posts. The posts themselves are the members': they stay, shown to the members who could see them
 * before (contract §6), under an id of their own that no key speaks for. So the new app does not get them as its own,
 * and a member who gives it another visibility does not change theirs.
 *
 * @param app.retiredId Never used before; begins with `retiredPrefix`.
 * @returns Statements for one transaction. They read the posts as a whole, since those are not found by app.
 */
export function retireApp({
  id,
  retiredId,
}: {
  readonly id: string;
  readonly retiredId: string;
}): readonly Statement[] {
  const poster = `app/${id}`;
  return [
    sql`insert into app (id, title, url, active) select ${retiredId}, title, url, 0 from app where id = ${id}`,
    sql`delete from consumer where app_id = ${id}`,
    ...endHaving(id, { removesData: true }),
    sql`delete from member_app where app_id = ${id} and level = 0`, // as without a row
    sql`update member_app set app_id = ${retiredId} where app_id = ${id}`,
    sql`update activity set app_id = ${retiredId} where app_id = ${id}`,
    sql`delete from keyed_post where poster = ${poster}`,
    sql`delete from last_post where poster = ${poster}`,
    sql`delete from app where id = ${id}`,
    ...everythingChanged(),
  ];
}
