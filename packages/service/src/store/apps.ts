import { type Database, type Statement, sql } from '@gantry/store';

export interface App {
  readonly id: string;
  readonly title: string;
  /** URL of the app, or `''` if the site serves it itself. */
  readonly url: string;
  /** False refuses the app's keys and hides the app. Default: unchanged, at first true. */
  readonly active?: boolean | undefined;
}

/** Builds the statement that adds or updates an app, for a batch. */
export function appStatement({ id, title, url, active }: App): Statement {
  // A record that only renames an app must not resume a paused one.
  const isActive = active === undefined ? sql.empty : sql`, active = excluded.active`;
  return sql`
    insert into app (id, title, url, active) values (${id}, ${title}, ${url}, ${Number(active ?? true)})
    on conflict (id) do update set title = excluded.title, url = excluded.url ${isActive}`;
}

/** Pauses or resumes an app. */
export function activation(id: string, isActive: boolean): Statement {
  return sql`update app set active = ${Number(isActive)} where id = ${id}`;
}

/** Condition that is true for the id of an inactive app. */
export function isInactive(id: Statement): Statement {
  return sql`exists (select 1 from app as known where known.id = ${id} and known.active = 0)`;
}

/** Rows of `app_id` and `member_id`: members who have an app, or for whom it stores AppData. */
export const membersOfApps: Statement = sql`
  select app_id, member_id from member_app where installed = 1 or app_data_bytes > 0`;

/** Counts an app's members, those for whom it stores AppData, and its bytes. */
export async function readAppUse(
  db: Database,
  id: string,
): Promise<{ readonly haveIt: number; readonly savedFor: number; readonly savedBytes: number }> {
  const [row] = await db.query<{ installed: number; saved: number; bytes: number }>(sql`
    select coalesce(sum(installed), 0) as installed, coalesce(sum(app_data_bytes), 0) as bytes,
      coalesce(sum(case when app_data_bytes > 0 then 1 else 0 end), 0) as saved from member_app where app_id = ${id}`);
  return { haveIt: Number(row?.installed), savedFor: Number(row?.saved), savedBytes: Number(row?.bytes) };
}

/** Returns true if there is an app with this id. */
export async function appExists(db: Database, id: string): Promise<boolean> {
  return (await db.query(sql`select 1 from app where id = ${id}`)).length > 0;
}
