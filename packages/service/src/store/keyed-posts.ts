import { hash } from 'node:crypto';
import { type Database, deleteSomeExpired, type Statement, sql } from '@gantry/store';
import type { NewActivity } from '../fields/activity.ts';

export interface Post extends NewActivity {
  readonly id: string;
  readonly memberId: string;
  readonly appId: string | undefined;
  /** Subject of the minimum interval: an app or, for a key without app, a consumer. */
  readonly poster: string;
  readonly postedAtMs: number;
  /** Idempotency key. A second post with it makes `storePost` fail with `constraint`. */
  readonly key?: string | undefined;
}

/** Idempotency key of a post, unique per poster and member. */
export interface PostKey extends Pick<Post, 'poster' | 'memberId'> {
  readonly key: string;
}

/** Post as it was stored, with the digest of its content. */
export interface KeyedPost extends Pick<Post, 'id' | 'postedAtMs'> {
  readonly digest: string;
}

/** Longer than any client retries a post. */
const keptMs = 72 * 60 * 60 * 1000;

/** Returns a digest that is equal exactly for posts of equal content. */
export function contentDigest({ title, url }: Pick<Post, 'title' | 'url'>): string {
  return hash('sha256', JSON.stringify([title, url ?? null]), 'base64url');
}

export async function findKeyedPost(db: Database, { memberId, poster, key }: PostKey): Promise<KeyedPost | undefined> {
  const [row] = await db.query<KeyedPost>(sql`
    select activity_id as id, posted_at_ms as "postedAtMs", digest from keyed_post
    where member_id = ${memberId} and poster = ${poster} and post_key = ${key}`);
  return row;
}

/** Stores the key in the post's transaction, which fails for a known key. */
export function rememberPost(post: Post, key: string, from: Statement): Statement {
  const { memberId, poster, id, postedAtMs } = post;
  return sql`
    insert into keyed_post (member_id, poster, post_key, digest, activity_id, posted_at_ms)
    select ${memberId}, ${poster}, ${key}, ${contentDigest(post)}, ${id}, ${postedAtMs} ${from}`;
}

/** Deletes the next thousand expired keys. */
export async function pruneKeyedPosts(db: Database, nowMs: number): Promise<void> {
  const where = sql`posted_at_ms < ${nowMs - keptMs}`;
  await db.query(deleteSomeExpired({ table: sql`keyed_post`, key: ['member_id', 'poster', 'post_key'], where }));
}
