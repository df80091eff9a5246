import { type OptionalPersonField, optionalFieldsIn, type Person, SocialError } from '@gantry/wire';
import { type Reach, reach } from '../authorize.ts';
import type { Result } from '../formats/result.ts';
import { absoluteUrl } from '../http/absolute-url.ts';
import { type Guids, parseGuids } from '../http/guids.ts';
import type { Query } from '../http/query.ts';
import { memberFacts } from '../store/members.ts';
import { friendsPage, type PersonRow, type ProfileRow, peopleById } from '../store/people.ts';
import { yearsBetween } from '../zoned-time.ts';
import { pageEnvelope, slicedEnvelope } from './envelope.ts';
import type { Handler, Handlers, OperationCall } from './handler.ts';
import { assertVisible, noSuchMember, requireVisible } from './visible-member.ts';

/** `/people/{guid}/@self`: one member, or a list of them. */
const getSelf: Handler = async (call) => {
  const { db, requester, guids, query } = call;
  const fields = optionalFieldsIn(query.fields);
  const people = await peopleById(db, requester, { ids: guids.ids, profile: fields.length > 0 });
  const persons = guids.ids.flatMap((id) => people.get(id) ?? []).map((row) => person(row, fields, call));
  return oneOrPage(persons, guids, query);
};

/** `/people/{guid}/@friends` */
const getFriends: Handler = async (call) => {
  const { db, requester, guids, query } = call;
  await requireVisible(call);
  const fields = optionalFieldsIn(query.fields);
  const page = await friendsPage(db, requester, {
    ids: guids.ids,
    profile: fields.length > 0,
    onlyWithApp: query.onlyWithApp,
    range: query,
  });
  return pageEnvelope(page, query, (row) => person(row, fields, call));
};

/** `/people/{guid}/@all/{pid}`: what `{guid}` and the viewer both see of `{pid}` (contract §6). */
const getPerson: Handler = async (call) => {
  const { db, requester, guids, params, query } = call;
  const [guid = ''] = guids.ids;
  if (guids.isList) throw new SocialError('BAD_REQUEST', 'Name one member before @all; only after it may be a list.');
  const targets = parseGuids(params.pid ?? '', requester.memberId);
  const fields = optionalFieldsIn(query.fields);
  if (guid !== requester.memberId) assertVisible(requester, (await memberFacts(db, requester, [guid])).get(guid));
  const people = await peopleById(db, requester, { ids: targets.ids, profile: fields.length > 0 });
  const reachOfGuid = await reachesFrom(guid, targets.ids, call);
  const persons = targets.ids.flatMap((id) => {
    const row = people.get(id);
    return row && reachOfGuid(id) >= 0 ? person(row, fields, call, reachOfGuid(id)) : [];
  });
  return oneOrPage(persons, targets, query);
};

function oneOrPage(persons: readonly Person[], { isList }: Guids, query: Query): Result {
  if (isList) return slicedEnvelope(persons, query);
  if (persons[0] === undefined) throw noSuchMember();
  return { entry: persons[0] };
}

/** Returns one member's reach into the others; the viewer's own reach is in the rows. */
async function reachesFrom(guid: string, ids: readonly string[], call: OperationCall): Promise<(id: string) => Reach> {
  const { db, requester } = call;
  if (guid === requester.memberId) return () => 2;
  const asGuid = { ...requester, memberId: guid };
  const facts = await memberFacts(db, asGuid, ids);
  return (id) => {
    const member = facts.get(id);
    return member ? reach(asGuid, member) : -1;
  };
}

function person(
  row: PersonRow | ProfileRow,
  fields: readonly OptionalPersonField[],
  call: OperationCall,
  most: Reach = 2,
): Person {
  const { requester, settings, publicUrl } = call;
  const isViewer = row.id === requester.memberId;
  return {
    id: row.id,
    isOwner: isViewer,
    isViewer,
    ...(settings.apiVersion !== '0.9.3' && { hasApp: row.has_app === 1 }),
    displayName: row.display_name,
    thumbnailUrl: absoluteUrl(row.thumbnail_url, publicUrl),
    profileUrl: `${publicUrl}/members/${row.id}`,
    ...('reach' in row && profile(row, fields, Math.min(row.reach, most), call)),
  };
}

type Profile = Required<Pick<Person, OptionalPersonField>>;

/** Returns the requested optional fields; a field that is unset or beyond the reach is empty. */
function profile(
  row: ProfileRow,
  fields: readonly OptionalPersonField[],
  limit: number,
  call: OperationCall,
): Partial<Profile> {
  const age = () => {
    const years = row.birthday === '' ? -1 : yearsBetween(row.birthday, call.zonedTime.date(call.nowMs));
    return years < 0 || row.age_level > limit ? '' : years;
  };
  const birthday = () => (row.age_level > limit ? row.birthday.replace(/^\d{4}/, '0000') : row.birthday);
  const values: Profile = {
    aboutMe: row.about_me_level > limit ? '' : row.about_me,
    addresses: row.region_level > limit || row.region === '' ? [] : [{ region: row.region, formatted: row.region }],
    age: age(),
    birthday: row.birthday_level > limit ? '' : birthday(),
    languagesSpoken: row.language_level > limit ? '' : row.language,
    gender: row.gender_level > limit ? '' : (row.gender as 'male' | 'female' | ''),
  };
  return Object.fromEntries(fields.map((field) => [field, values[field]]));
}

export const peopleHandlers = {
  'people.getFriends': getFriends,
  'people.getPerson': getPerson,
  'people.getSelf': getSelf,
  'people.getMe': getSelf,
} satisfies Partial<Handlers>;
