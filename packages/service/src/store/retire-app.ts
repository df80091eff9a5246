import { type Statement, sql } from '@gantry/store';
import { endAppForAll } from './member-apps.ts';
import { everythingChanged } from './versions.ts';

/** Prefix for the ids of replaced apps. No app is registered under it. */
export const retiredPrefix = 'replaced:';

/**
 * Ends an app for all members, so that another can take its id: deletes its keys, installs, AppData
 * and posting state. The posts belong to the members. They stay visible to the same members
 * (contract §6), under an id of their own that no key acts for. So the new app does not get them as
 * its own, and giving it another visibility does not change theirs.
 *
 * @param app.retiredId Unused id that begins with `retiredPrefix`.
 * @returns Statements for one transaction. They scan all posts, which have no index by app.
 */
export function retireApp(app: { readonly id: string; readonly retiredId: string }): readonly Statement[] {
  const { id, retiredId } = app;
  const poster = `app/${id}`;
  return [
    sql`insert into app (id, title, url, active) select ${retiredId}, title, url, 0 from app where id = ${id}`,
    sql`delete from consumer where app_id = ${id}`,
    ...endAppForAll(id, { removesData: true }),
    sql`delete from member_app where app_id = ${id} and level = 0`, // a missing row means the same
    sql`update member_app set app_id = ${retiredId} where app_id = ${id}`,
    sql`update activity set app_id = ${retiredId} where app_id = ${id}`,
    sql`delete from keyed_post where poster = ${poster}`,
    sql`delete from last_post where poster = ${poster}`,
    sql`delete from app where id = ${id}`,
    ...everythingChanged(),
  ];
}
