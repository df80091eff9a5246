import { type Database, StoreError } from '@gantry/store';
import { type Activity, SocialError } from '@gantry/wire';
import { absoluteUrl } from '../absolute-url.ts';
import { activityFields } from '../activity-fields.ts';
import { newId } from '../new-id.ts';
import {
  type ActivityRow,
  lastPostAtMs,
  memberStream,
  type Post,
  type StreamOptions,
  storePost,
} from '../store/activities.ts';
import { friendsStream } from '../store/friends-stream.ts';
import { contentDigest, findKeyedPost, pruneKeyedPosts } from '../store/keyed-posts.ts';
import { listEnvelope } from './envelope.ts';
import type { Call, Handler } from './handler.ts';
import { requireVisible } from './visible-member.ts';

/** `/activities/{guid}/@self` with or without `/{appid}` */
export const getSelf: Handler = (call) => stream(call, memberStream);

/** `/activities/{guid}/@friends` with or without `/{appid}` */
export const getFriends: Handler = (call) => stream(call, friendsStream);

async function stream(call: Call, read: typeof memberStream) {
  const { db, requester, guids, params, query } = call;
  await requireVisible(call);
  const appId = params.appid === undefined ? undefined : requester.appId; // it can name no other
  const options: StreamOptions = { ids: guids.ids, appId, range: query };
  const { rows, total } = await read(db, requester, options);
  return listEnvelope(
    rows.map((row) => activity(row, call)),
    total,
    query,
  );
}

/** `POST /activities/@me/@self` */
export const create: Handler = async (call) => {
  const { db, requester, settings, publicUrl, nowMs, random, body } = call;
  const { title, url } = activityFields(body, publicUrl);
  const key = postKey(call.key);
  const { memberId, appId, consumerKey } = requester;
  const poster = appId === undefined ? `consumer/${consumerKey}` : `app/${appId}`;
  const post: Post = { id: newId(nowMs, random), memberId, appId, poster, title, url, postedAtMs: nowMs, key };
  const intervalMs = settings.minimumInterval * 1000;
  const made = (await earlierPost(db, post)) ?? (await newPost(db, post, intervalMs));
  if (made === undefined) {
    const waitMs = (await lastPostAtMs(db, { poster, memberId })) + intervalMs - nowMs;
    throw new SocialError(
      'POSTED_TOO_SOON',
      `Only one activity may be posted every ${settings.minimumInterval} seconds.`,
      {
        retryAfter: Math.max(1, Math.ceil(waitMs / 1000)),
      },
    );
  }
  if (key !== undefined && random(1)[0] === 0) await pruneKeyedPosts(db, nowMs).catch(() => undefined); // the next does it
  const { id, postedAtMs } = made;
  const row = { id, member_id: memberId, title, url: url ?? null, posted_at_s: Math.floor(postedAtMs / 1000) };
  return { entry: activity(row, call) };
};

type Made = Pick<Post, 'id' | 'postedAtMs'>;

/** What this key posted before. @throws SocialError CONFLICT where that was something else. */
async function earlierPost(db: Database, post: Post): Promise<Made | undefined> {
  const { key } = post;
  const earlier = key === undefined ? undefined : await findKeyedPost(db, { ...post, key });
  if (earlier === undefined) return undefined;
  if (earlier.digest === contentDigest(post)) return { id: earlier.activityId, postedAtMs: earlier.postedAtMs };
  throw new SocialError('CONFLICT', 'Another activity was posted under this Idempotency-Key.');
}

/** @returns Undefined if it came too soon. */
async function newPost(db: Database, post: Post, intervalMs: number): Promise<Made | undefined> {
  try {
    if (await storePost(db, post, intervalMs)) return post;
  } catch (error) {
    if (!(error instanceof StoreError && error.reason === 'constraint')) throw error;
    const twin = await earlierPost(db, post);
    if (twin === undefined) throw error;
    return twin;
  }
  return earlierPost(db, post); // its twin, a moment ahead, began the interval
}

function postKey(header: string | undefined): string | undefined {
  if (header === undefined || /^[\x21-\x7e]{1,255}$/.test(header)) return header;
  throw new SocialError('BAD_REQUEST', 'Idempotency-Key must be 1 to 255 printable characters without spaces.');
}

function activity(row: ActivityRow, { siteTime, publicUrl }: Call): Activity {
  return {
    id: row.id,
    userId: row.member_id,
    title: row.title,
    postedTime: siteTime.dateTime(row.posted_at_s * 1000),
    ...(row.url !== null && { url: absoluteUrl(row.url, publicUrl) }),
  };
}
