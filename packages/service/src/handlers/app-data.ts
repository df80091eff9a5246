import type { AppData } from '@gantry/wire';
import { SocialError } from '@gantry/wire';
import { appDataFields, appDataTooLarge } from '../app-data-fields.ts';
import { authorize } from '../authorize.ts';
import { answerTooLarge } from '../formats/parts.ts';
import {
  type AppDataOwner,
  deleteAppData,
  type ReadOutcome,
  readAppData,
  readFriendsAppData,
  saveAppData,
} from '../store/app-data.ts';
import { memberFacts } from '../store/members.ts';
import type { Call, Handler } from './handler.ts';
import { noSuchMember, requireVisible } from './visible-member.ts';

/** `GET /appData/{guid}/@self/{appid}` */
export const getSelf: Handler = async (call) => {
  const ids = await readableIds(call);
  const found = byMember(await readAppData(call.db, appOf(call), { ids, keys: call.query.keys }));
  return { entry: Object.fromEntries(ids.map((id) => [id, found.get(id) ?? {}])) };
};

/**
 * `GET /appData/{guid}/@friends/{appid}`: members without keys are left out. With `count` or `startIndex` it is a page of the
 * others, by id; one with fewer members than `count` is the last, since an entry has no totals.
 */
export const getFriends: Handler = async (call) => {
  const { db, requester, guids, query } = call;
  await requireVisible(call);
  const appId = appOf(call);
  const page = query.isPaged ? query : undefined;
  const rows = await readFriendsAppData(db, { ...requester, appId }, { ids: guids.ids, keys: query.keys, page });
  return { entry: Object.fromEntries(byMember(rows)) };
};

/** `POST /appData/{guid}/@self/{appid}` */
export const update: Handler = async (call) => {
  const values = appDataFields(call.body);
  const outcome = values.length === 0 ? 'saved' : await saveAppData(call.db, ownerOf(call), values);
  if (outcome === 'app not installed') throw new SocialError('FORBIDDEN', 'The member has just removed the app.');
  if (outcome === 'too large') throw appDataTooLarge();
  return { entry: {} };
};

/** `DELETE /appData/{guid}/@self/{appid}` */
export const remove: Handler = async (call) => {
  await deleteAppData(call.db, ownerOf(call), call.query.keys);
  return { entry: {} };
};

/** The members of `{guid}` whose AppData may be read. In a list the others are left out; a single one is refused. */
async function readableIds({ db, requester, guids }: Call): Promise<readonly string[]> {
  const { ids, isList } = guids;
  if (!isList && ids[0] === requester.memberId) return ids;
  const facts = await memberFacts(db, requester, ids);
  const verdict = (id: string) => authorize(requester, { act: 'read AppData', member: facts.get(id) });
  if (isList) return ids.filter((id) => verdict(id) === 'allowed');
  switch (verdict(ids[0] ?? '')) {
    case 'allowed':
      return ids;
    case 'hidden':
      throw noSuchMember();
    case 'forbidden':
      throw new SocialError('FORBIDDEN', 'AppData of another member is read only of a friend who has the app.');
  }
}

function byMember(rows: ReadOutcome): ReadonlyMap<string, AppData> {
  if (rows === 'too large') throw answerTooLarge();
  const groups = Map.groupBy(rows, (row) => row.member_id);
  return new Map(
    Array.from(groups, ([id, own]) => [id, Object.fromEntries(own.map(({ key, value }) => [key, value]))]),
  );
}

// The path was checked: it names the app of the key, and for a write the requester.
function appOf({ requester }: Call): string {
  return requester.appId ?? '';
}

function ownerOf(call: Call): AppDataOwner {
  return { memberId: call.requester.memberId, appId: appOf(call) };
}
