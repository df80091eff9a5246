import { type Database, type Statement, sql } from '@gantry/store';
import { isId, SocialError } from '@gantry/wire';
import { type Level, levelIndex } from './authorize.ts';
import { addedHaving, removedHaving } from './store/having.ts';
import { memberExists } from './store/members.ts';

export interface App {
  readonly id: string;
  readonly title: string;
  /** Where the app lives, or `''` for one that the site serves itself. */
  readonly url: string;
  /** An inactive app's keys are refused. Default true. */
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
export function appStatement({ id, title, url, active = true }: App): Statement {
  return sql`
    insert into app (id, title, url, active) values (${id}, ${title}, ${url}, ${Number(active)})
    on conflict (id) do update set title = excluded.title, url = excluded.url, active = excluded.active`;
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
