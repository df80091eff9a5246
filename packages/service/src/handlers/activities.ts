import { type Activity, SocialError } from '@gantry/wire';
import { absoluteUrl } from '../absolute-url.ts';
import { activityFields } from '../activity-fields.ts';
import { newId } from '../new-id.ts';
import { type ActivityRow, lastPostAtMs, memberStream, type StreamOptions, storePost } from '../store/activities.ts';
import { friendsStream } from '../store/friends-stream.ts';
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
  const { memberId, appId, consumerKey } = requester;
  const poster = appId === undefined ? `consumer/${consumerKey}` : `app/${appId}`;
  const id = newId(nowMs, random);
  const intervalMs = settings.minimumInterval * 1000;
  if (!(await storePost(db, { id, memberId, appId, poster, title, url, postedAtMs: nowMs }, intervalMs))) {
    const waitMs = (await lastPostAtMs(db, { poster, memberId })) + intervalMs - nowMs;
    throw new SocialError(
      'POSTED_TOO_SOON',
      `Only one activity may be posted every ${settings.minimumInterval} seconds.`,
      {
        retryAfter: Math.max(1, Math.ceil(waitMs / 1000)),
      },
    );
  }
  const row = { id, member_id: memberId, title, url: url ?? null, posted_at_s: Math.floor(nowMs / 1000) };
  return { entry: activity(row, call) };
};

function activity(row: ActivityRow, { siteTime, publicUrl }: Call): Activity {
  return {
    id: row.id,
    userId: row.member_id,
    title: row.title,
    postedTime: siteTime.dateTime(row.posted_at_s * 1000),
    ...(row.url !== null && { url: absoluteUrl(row.url, publicUrl) }),
  };
}
