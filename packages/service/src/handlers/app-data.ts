import type { AppData } from '@gantry/wire';
import { SocialError } from '@gantry/wire';
import { authorize } from '../authorize.ts';
import { appDataFields, appDataTooLarge } from '../fields/app-data.ts';
import { answerTooLarge } from '../formats/parts.ts';
import {
  deleteAppData,
  type MemberApp,
  type ReadOutcome,
  readAppData,
  readFriendsAppData,
  saveAppData,
} from '../store/app-data.ts';
import { memberFacts } from '../store/members.ts';
import type { Handler, Handlers, OperationCall } from './handler.ts';
import { noSuchMember, requireVisible } from './visible-member.ts';

/** `GET /appData/{guid}/@self/{appid}` */
const getSelf: Handler = async (call) => {
  const ids = await readableIds(call);
  const data = byMember(await readAppData(call.db, appOf(call), { ids, keys: call.query.keys }));
  return { entry: Object.fromEntries(ids.map((id) => [id, data.get(id) ?? {}])) };
};

/**
 * `GET /appData/{guid}/@friends/{appid}`, without members that have no keys. `count` or
 * `startIndex` select a page of the others, by id. A page shorter than `count` is the last, since
 * an entry has no totals.
 */
const getFriends: Handler = async (call) => {
  const { db, requester, guids, query } = call;
  await requireVisible(call);
  const appId = appOf(call);
  const page = query.isPaged ? query : undefined;
  const rows = await readFriendsAppData(db, { ...requester, appId }, { ids: guids.ids, keys: query.keys, page });
  return { entry: Object.fromEntries(byMember(rows)) };
};

/** `POST /appData/{guid}/@self/{appid}` */
const update: Handler = async (call) => {
  const values = appDataFields(call.body);
  const outcome = values.length === 0 ? 'saved' : await saveAppData(call.db, ownerOf(call), values);
  if (outcome === 'app not installed') throw new SocialError('FORBIDDEN', 'The member has just removed the app.');
  if (outcome === 'too large') throw appDataTooLarge();
  return { entry: {} };
};

/** `DELETE /appData/{guid}/@self/{appid}` */
const remove: Handler = async (call) => {
  await deleteAppData(call.db, ownerOf(call), call.query.keys);
  return { entry: {} };
};

/** Returns members of `{guid}` with readable AppData. A list omits others; one alone is refused. */
async function readableIds({ db, requester, guids }: OperationCall): Promise<readonly string[]> {
  const { ids, isList } = guids;
  if (!isList && ids[0] === requester.memberId) return ids;
  const facts = await memberFacts(db, requester, ids);
  const verdict = (id: string) => authorize(requester, { act: 'read AppData', member: facts.get(id) });
  if (isList) return ids.filter((id) => verdict(id) === 'allowed');
  const [id = ''] = ids;
  if (verdict(id) === 'allowed') return ids;
  if (verdict(id) === 'hidden') throw noSuchMember();
  throw new SocialError(
    'FORBIDDEN',
    'AppData of another member is readable only if they are a friend and have the app.',
  );
}

function byMember(rows: ReadOutcome): ReadonlyMap<string, AppData> {
  if (rows === 'too large') throw answerTooLarge();
  const groups = Map.groupBy(rows, (row) => row.member_id);
  return new Map(
    Array.from(groups, ([id, own]) => [id, Object.fromEntries(own.map(({ key, value }) => [key, value]))]),
  );
}

// Already validated: the path names the app of the key and, for a write, the requester.
function appOf({ requester }: OperationCall): string {
  return requester.appId ?? '';
}

function ownerOf(call: OperationCall): MemberApp {
  return { memberId: call.requester.memberId, appId: appOf(call) };
}

export const appDataHandlers = {
  'appData.getSelf': getSelf,
  'appData.update': update,
  'appData.delete': remove,
  'appData.getFriends': getFriends,
} satisfies Partial<Handlers>;
