import { type Database, type Statement, sql } from '@gantry/store';
import { isId, SocialError } from '@gantry/wire';
import { type Level, levelIndex } from './authorize.ts';
import { memberExists } from './store/members.ts';
import { memberChanged, personChanged } from './store/versions.ts';

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

/** Gives a member an app. @throws SocialError BAD_REQUEST for an app or a member that does not exist. */
export async function installApp(db: Database, install: Install): Promise<void> {
  if (!(await appExists(db, install.appId))) throw new SocialError('BAD_REQUEST', 'There is no such app.');
  if (!(await memberExists(db, install.memberId))) throw new SocialError('BAD_REQUEST', 'There is no such member.');
  await db.batch([installStatement(install), ...personChanged(install.memberId)]);
}

/** The statement of `installApp`, for a batch. */
export function installStatement({ appId, memberId, visibility }: Install): Statement {
  const level = visibility === undefined ? sql.empty : sql`, level = ${levelIndex(visibility)}`;
  return sql`
    insert into member_app (member_id, app_id, installed, level)
    values (${memberId}, ${appId}, 1, ${levelIndex(visibility ?? 'site')})
    on conflict (member_id, app_id) do update set installed = 1 ${level}`;
}

/**
 * Takes an app from a member and deletes its AppData for that member. What it posted stays, with the visibility that the
 * member chose last (contract §6).
 */
export async function uninstallApp(db: Database, { appId, memberId }: Omit<Install, 'visibility'>): Promise<void> {
  await db.batch([
    sql`update member_app set installed = 0, app_data_bytes = 0 where member_id = ${memberId} and app_id = ${appId}`,
    sql`delete from app_data where member_id = ${memberId} and app_id = ${appId}`,
    ...memberChanged(memberId, 'appData', { appId }),
    ...personChanged(memberId),
  ]);
}
