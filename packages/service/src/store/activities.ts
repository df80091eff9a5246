import { type Database, sql } from '@gantry/store';
import { compareIds } from '@gantry/wire';
import type { Requester } from '../authorize.ts';
import { titleWithin, urlWithin } from './bounded-text.ts';
import { type Post, rememberPost } from './keyed-posts.ts';
import { isOneOf } from './one-of.ts';
import { type Page, type Range, readPage } from './page.ts';
import { keysOfSeveral } from './several-members.ts';
import { memberChanged } from './versions.ts';
import { isInReach, isVisibleMember, reachInto, visibleMembers } from './visibility.ts';

export interface ActivityRow {
  readonly id: string;
  readonly member_id: string;
  readonly title: string;
  readonly url: string | null;
  readonly posted_at_s: number;
}

export interface StreamOptions {
  readonly ids: readonly string[];
  /** Limits the stream to this app's posts. */
  readonly appId: string | undefined;
  readonly range: Range;
}

export const activityColumns = sql`activity.id, activity.member_id,
  ${titleWithin(sql`title`)} as title, ${urlWithin(sql`url`)} as url, posted_at_s`;
export const newestFirst = sql`posted_at_s desc, length(activity.id) desc, activity.id desc`;

/** Reads a page of activities by the visible members among `ids` that the viewer may see. */
export function memberStream(
  db: Database,
  { memberId }: Requester,
  { ids, appId, range }: StreamOptions,
): Promise<Page<ActivityRow>> {
  const ofApp = appId === undefined ? sql.empty : sql`and activity.app_id = ${appId}`;
  const [only] = ids;
  if (only !== undefined && ids.length === 1) {
    // Reads along the index of one member's activities, newest first.
    const seen = only === memberId ? sql.empty : sql`and ${isInReach(reachInto(memberId, sql`activity.member_id`))}`;
    const from = sql`activity where member_id = ${only} and ${isVisibleMember(memberId, only)} ${ofApp} ${seen}`;
    return readPage(db, { columns: activityColumns, from, order: newestFirst }, range);
  }
  return streamOfSeveral(db, memberId, { ids, appId, range });
}

async function streamOfSeveral(
  db: Database,
  viewer: string,
  { ids, appId, range }: StreamOptions,
): Promise<Page<ActivityRow>> {
  const ofApp = appId === undefined ? sql.empty : sql`and activity.app_id = ${appId}`;
  const keys = await keysOfSeveral(db, ids, (some) => ({
    with: sql`with author (id, reach) as materialized (${visibleMembers(viewer, some)})`,
    key: postKey,
    from: sql`author join activity on member_id = author.id where true ${ofApp}`,
    seen: isInReach(sql`reach`),
  }));
  return pageOfPosts(db, keys.map(parsePost).toSorted(byNewest), range);
}

/** Post without its content, in an order of posts. */
export interface StreamPost {
  readonly id: string;
  readonly postedAtS: number;
}

/** Text of a `StreamPost`. Ids have no blanks or commas. */
export const postKey = sql`activity.id || ' ' || posted_at_s`;

export function parsePost(key: string): StreamPost {
  const blank = key.indexOf(' ');
  return { id: key.slice(0, blank), postedAtS: Number(key.slice(blank + 1)) };
}

export function byNewest(a: StreamPost, b: StreamPost): number {
  return b.postedAtS - a.postedAtS || -compareIds(a.id, b.id);
}

export async function pageOfPosts(
  db: Database,
  posts: readonly StreamPost[],
  { startIndex, count }: Range,
): Promise<Page<ActivityRow>> {
  const pageIds = posts.slice(startIndex, startIndex + count).map(({ id }) => id);
  return { rows: await activitiesById(db, pageIds), total: posts.length };
}

async function activitiesById(db: Database, ids: readonly string[]): Promise<readonly ActivityRow[]> {
  if (ids.length === 0) return [];
  const rows = await db.query<ActivityRow>(sql`
    select ${activityColumns} from activity where ${isOneOf(sql`activity.id`, ids)}`);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []); // some may be deleted meanwhile
}

/**
 * Stores a post unless the member's last one through the same poster is younger than the interval.
 * One guarded statement decides, so of parallel posts, in any number of processes, one is stored
 * (contract §4). @returns False if the interval has not passed; nothing is stored.
 */
export async function storePost(db: Database, post: Post, intervalMs: number): Promise<boolean> {
  const { id, memberId, appId, poster, title, url, postedAtMs, key } = post;
  const ifTaken = sql`from last_post where poster = ${poster} and member_id = ${memberId} and activity_id = ${id}`;
  const [taken] = await db.batch([
    sql`
      insert into last_post (poster, member_id, activity_id, posted_at_ms)
      values (${poster}, ${memberId}, ${id}, ${postedAtMs})
      on conflict (poster, member_id) do update set activity_id = excluded.activity_id, posted_at_ms = excluded.posted_at_ms
      where last_post.posted_at_ms <= ${postedAtMs - intervalMs} or ${intervalMs} = 0
      returning activity_id`,
    sql`
      insert into activity (id, member_id, app_id, title, url, posted_at_s)
      select ${id}, ${memberId}, ${appId ?? null}, ${title}, ${url ?? null}, ${Math.floor(postedAtMs / 1000)}
      ${ifTaken}`,
    ...memberChanged(memberId, 'activities', { appId, from: ifTaken }),
    ...(key === undefined ? [] : [rememberPost(post, key, ifTaken)]),
  ]);
  return taken?.length === 1;
}

/** Returns when the member last posted through `poster`, in milliseconds since the epoch. */
export async function lastPostAtMs(
  db: Database,
  { poster, memberId }: Pick<Post, 'poster' | 'memberId'>,
): Promise<number> {
  const [row] = await db.query<{ posted_at_ms: number }>(sql`
    select posted_at_ms from last_post where poster = ${poster} and member_id = ${memberId}`);
  return row?.posted_at_ms ?? 0;
}
