import { hash } from 'node:crypto';
import { type Database, type Statement, sql } from '@gantry/store';
import type { Post } from './activities.ts';

/** What a post is called: an app or a consumer's own word, one for each member it posts for. */
export interface PostName extends Pick<Post, 'poster' | 'memberId'> {
  readonly key: string;
}

/** What was posted under a key. */
export interface KeyedPost {
  readonly activityId: string;
  readonly postedAtMs: number;
  /** As `contentDigest` of what was posted. */
  readonly digest: string;
}

/** Longer than any client repeats a post. */
const keptMs = 72 * 60 * 60 * 1000;

/** Equal for two posts exactly when they say the same. */
export function contentDigest({ title, url }: Pick<Post, 'title' | 'url'>): string {
  return hash('sha256', JSON.stringify([title, url ?? null]), 'base64url');
}

export async function findKeyedPost(db: Database, { memberId, poster, key }: PostName): Promise<KeyedPost | undefined> {
  const [row] = await db.query<{ activity_id: string; posted_at_ms: number; digest: string }>(sql`
    select activity_id, posted_at_ms, digest from keyed_post
    where member_id = ${memberId} and poster = ${poster} and post_key = ${key}`);
  return row && { activityId: row.activity_id, postedAtMs: row.posted_at_ms, digest: row.digest };
}

/** Remembers a post in its own transaction. A key that is known already makes that fail, so it is posted once. */
export function rememberPost(post: Post, key: string, from: Statement): Statement {
  const { memberId, poster, id, postedAtMs } = post;
  return sql`
    insert into keyed_post (member_id, poster, post_key, digest, activity_id, posted_at_ms)
    select ${memberId}, ${poster}, ${key}, ${contentDigest(post)}, ${id}, ${postedAtMs} ${from}`;
}

export async function pruneKeyedPosts(db: Database, nowMs: number): Promise<void> {
  await db.query(sql`delete from keyed_post where posted_at_ms < ${nowMs - keptMs}`);
}
