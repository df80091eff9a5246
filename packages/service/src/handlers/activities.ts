import { type Database, StoreError } from '@gantry/store';
import { type Activity, SocialError } from '@gantry/wire';
import { activityFields } from '../fields/activity.ts';
import { absoluteUrl } from '../http/absolute-url.ts';
import { type ActivityRow, lastPostAtMs, memberStream, storePost } from '../store/activities.ts';
import { friendsStream } from '../store/friends-stream.ts';
import type { Post } from '../store/keyed-posts.ts';
import { contentDigest, findKeyedPost, pruneKeyedPosts } from '../store/keyed-posts.ts';
import { newId } from '../store/new-id.ts';
import { pageEnvelope } from './envelope.ts';
import type { Handler, Handlers, OperationCall } from './handler.ts';
import { requireVisible } from './visible-member.ts';

/** `/activities/{guid}/@self` with or without `/{appid}` */
const getSelf: Handler = (call) => stream(call, memberStream);

/** `/activities/{guid}/@friends` with or without `/{appid}` */
const getFriends: Handler = (call) => stream(call, friendsStream);

async function stream(call: OperationCall, read: typeof memberStream) {
  const { db, requester, guids, params, query } = call;
  await requireVisible(call);
  const appId = params.appid === undefined ? undefined : requester.appId;
  const page = await read(db, requester, { ids: guids.ids, appId, range: query });
  return pageEnvelope(page, query, (row) => activity(row, call));
}

/** `POST /activities/@me/@self` */
const create: Handler = async (call) => {
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
    const rule = `Only one activity may be posted every ${settings.minimumInterval} seconds.`;
    throw new SocialError('POSTED_TOO_SOON', rule, { retryAfter: Math.max(1, Math.ceil(waitMs / 1000)) });
  }
  if (key !== undefined && random(1)[0] === 0) await pruneKeyedPosts(db, nowMs).catch(() => undefined); // the next one retries
  const { id, postedAtMs } = made;
  const row = { id, member_id: memberId, title, url: url ?? null, posted_at_s: Math.floor(postedAtMs / 1000) };
  return { entry: activity(row, call) };
};

type StoredPost = Pick<Post, 'id' | 'postedAtMs'>;

/** Finds the earlier post under the same key. @throws SocialError CONFLICT for other content. */
async function earlierPost(db: Database, post: Post): Promise<StoredPost | undefined> {
  const { key } = post;
  const earlier = key === undefined ? undefined : await findKeyedPost(db, { ...post, key });
  if (earlier === undefined) return undefined;
  if (earlier.digest === contentDigest(post)) return earlier;
  throw new SocialError('CONFLICT', 'Another activity was posted under this Idempotency-Key.');
}

/** @returns `undefined` if the minimum interval has not passed. */
async function newPost(db: Database, post: Post, intervalMs: number): Promise<StoredPost | undefined> {
  try {
    if (await storePost(db, post, intervalMs)) return post;
  } catch (error) {
    if (!(error instanceof StoreError && error.reason === 'constraint')) throw error;
    const twin = await earlierPost(db, post);
    if (twin === undefined) throw error;
    return twin;
  }
  return earlierPost(db, post); // a parallel retry was stored first
}

function postKey(header: string | undefined): string | undefined {
  if (header === undefined || /^[\x21-\x7e]{1,255}$/.test(header)) return header;
  throw new SocialError('BAD_REQUEST', 'Idempotency-Key must be 1 to 255 printable characters without spaces.');
}

function activity(row: ActivityRow, { zonedTime, publicUrl }: OperationCall): Activity {
  return {
    id: row.id,
    userId: row.member_id,
    title: row.title,
    postedTime: zonedTime.dateTime(row.posted_at_s * 1000),
    ...(row.url !== null && { url: absoluteUrl(row.url, publicUrl) }),
  };
}

export const activityHandlers = {
  'activities.getSelf': getSelf,
  'activities.getSelfByApp': getSelf,
  'activities.getFriends': getFriends,
  'activities.getFriendsByApp': getFriends,
  'activities.create': create,
} satisfies Partial<Handlers>;
