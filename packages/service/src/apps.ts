import { type Database, type Statement, sql } from '@gantry/store';
import { isId, SocialError } from '@gantry/wire';
import { type Level, levelIndex } from './authorize.ts';
import { addedHaving, countHaving, removedHaving } from './store/having.ts';
import { memberExists } from './store/members.ts';

export interface App {
  readonly id: string;
  readonly title: string;
  /** Where the app lives, or `''` for one that the site serves itself. */
  readonly url: string;
  /** The keys of an inactive app are refused, and it is not shown. Default: as before, at first true. */
  readonly active?: boolean | undefined;
}

/** Adds an app, or changes the one with this id. @throws SocialError BAD_REQUEST for an id that is none, or an empty title. */
export async function saveApp(db: Database, app: App): Promise<void> {
  if (!isId(app.id))
    throw new SocialError('BAD_REQUEST', 'The id of an app has 1 to 64 letters, digits, ".", "_", ":" and "-".');
  if (app.title.trim() === '') throw new SocialError('BAD_REQUEST', 'An app needs a title.');
  await db.query(appStatement(app));
}

/** The statement of `saveApp`, for a batch. */
export function appStatement({ id, title, url, active }: App): Statement {
  // A record that only renames an app must not resume one that was paused.
  const isActive = active === undefined ? sql.empty : sql`, active = excluded.active`;
  return sql`
    insert into app (id, title, url, active) values (${id}, ${title}, ${url}, ${Number(active ?? true)})
    on conflict (id) do update set title = excluded.title, url = excluded.url ${isActive}`;
}

/** Pauses an app, or resumes it. */
export function activation(id: string, isActive: boolean): Statement {
  return sql`update app set active = ${Number(isActive)} where id = ${id}`;
}

/** A condition that is true where `id` is that of an inactive app. */
export function isInactive(id: Statement): Statement {
  return sql`exists (select 1 from app as known where known.id = ${id} and known.active = 0)`;
}

/** Members who have an app or for whom it saved something, as rows of `app_id` and `member_id`. */
export const membersOfApps: Statement = sql`
  select app_id, member_id from member_app where installed = 1 or app_data_bytes > 0`;

/** Counts the members who have an app, those for whom it saved AppData, and its bytes. */
export async function readAppUse(
  db: Database,
  id: string,
): Promise<{ readonly haveIt: number; readonly savedFor: number; readonly savedBytes: number }> {
  const [row] = await db.query<{ saved: number; bytes: number }>(sql`
    select coalesce(sum(app_data_bytes), 0) as bytes,
      coalesce(sum(case when app_data_bytes > 0 then 1 else 0 end), 0) as saved from member_app where app_id = ${id}`);
  return { haveIt: await countHaving(db, id), savedFor: Number(row?.saved), savedBytes: Number(row?.bytes) };
}

export async function appExists(db: Database, id: string): Promise<boolean> {
  return (await db.query(sql`select 1 from app where id = ${id}`)).length > 0;
}

export interface Install {
  readonly appId: string;
  readonly memberId: string;
  /** Who sees what the app posts for the member. Default: as before, at first `site`. */
  readonly visibility?: Level | undefined;
}

/**
 * Gives a member an app: keys of the app itself then reach all that the contract's §5 gives them.
 *
 * @throws SocialError BAD_REQUEST for an app or a member that does not exist.
 */
export async function installApp(db: Database, install: Install, now: () => number = Date.now): Promise<void> {
  if (!(await appExists(db, install.appId))) throw new SocialError('BAD_REQUEST', 'There is no such app.');
  if (!(await memberExists(db, install.memberId))) throw new SocialError('BAD_REQUEST', 'There is no such member.');
  const { visibility } = install;
  const level = visibility === undefined ? undefined : levelIndex(visibility);
  await db.batch(addedHaving(install, { level, nowMs: now() }));
}

/**
 * Takes an app from a member and deletes its AppData for that member. What it posted stays, with the visibility that the
 * member chose last (contract §6).
 */
export async function uninstallApp(
  db: Database,
  install: Omit<Install, 'visibility'>,
  now: () => number = Date.now,
): Promise<void> {
  await db.batch(removedHaving(install, now()));
}
