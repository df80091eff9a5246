import { type OptionalPersonField, optionalPersonFields, type Person, SocialError } from '@gantry/wire';
import { absoluteUrl } from '../absolute-url.ts';
import { type Reach, reach } from '../authorize.ts';
import { parseGuids } from '../guids.ts';
import { yearsBetween } from '../site-time.ts';
import { memberFacts } from '../store/members.ts';
import { friendsPage, type PersonRow, type ProfileRow, peopleById } from '../store/people.ts';
import { listEnvelope, slicedEnvelope } from './envelope.ts';
import type { Call, Handler } from './handler.ts';
import { noSuchMember, requireVisible, seen } from './visible-member.ts';

/** `/people/{guid}/@self`: one member, or those of a list. */
export const getSelf: Handler = async (call) => {
  const { db, requester, guids, query } = call;
  const fields = requestedFields(query.fields);
  const people = await peopleById(db, requester, { ids: guids.ids, profile: fields.length > 0 });
  const found = guids.ids.flatMap((id) => people.get(id) ?? []).map((row) => person(row, fields, call));
  if (guids.isList) return slicedEnvelope(found, query);
  if (found[0] === undefined) throw noSuchMember();
  return { entry: found[0] };
};

/** `/people/{guid}/@friends` */
export const getFriends: Handler = async (call) => {
  const { db, requester, guids, query } = call;
  await requireVisible(call);
  const fields = requestedFields(query.fields);
  const { rows, total } = await friendsPage(db, requester, {
    ids: guids.ids,
    profile: fields.length > 0,
    onlyWithApp: query.onlyWithApp,
    range: query,
  });
  return listEnvelope(
    rows.map((row) => person(row, fields, call)),
    total,
    query,
  );
};

/** `/people/{guid}/@all/{pid}`: what both `{guid}` and the viewer may see of `{pid}` (contract §6). */
export const getPerson: Handler = async (call) => {
  const { db, requester, guids, params, query } = call;
  const [guid = ''] = guids.ids;
  if (guids.isList) throw new SocialError('BAD_REQUEST', 'With @all, name one member before it; a list may follow it.');
  const asked = parseGuids(params.pid ?? '', requester.memberId);
  const fields = requestedFields(query.fields);
  if (guid !== requester.memberId) seen(requester, (await memberFacts(db, requester, [guid])).get(guid));
  const people = await peopleById(db, requester, { ids: asked.ids, profile: fields.length > 0 });
  const reachOfGuid = await reachesFrom(guid, asked.ids, call);
  const found = asked.ids.flatMap((id) => {
    const row = people.get(id);
    return row && reachOfGuid(id) >= 0 ? person(row, fields, call, reachOfGuid(id)) : [];
  });
  if (asked.isList) return slicedEnvelope(found, query);
  if (found[0] === undefined) throw noSuchMember();
  return { entry: found[0] };
};

/** The reach of one member into the others; the viewer's own is in the rows already. */
async function reachesFrom(guid: string, ids: readonly string[], call: Call): Promise<(id: string) => Reach> {
  const { db, requester } = call;
  if (guid === requester.memberId) return () => 2;
  const asGuid = { ...requester, memberId: guid };
  const facts = await memberFacts(db, asGuid, ids);
  return (id) => {
    const member = facts.get(id);
    return member ? reach(asGuid, member) : -1;
  };
}

function requestedFields(names: readonly string[]): readonly OptionalPersonField[] {
  const named = new Set(names);
  return named.has('@all') ? optionalPersonFields : optionalPersonFields.filter((field) => named.has(field));
}

function person(
  row: PersonRow | ProfileRow,
  fields: readonly OptionalPersonField[],
  call: Call,
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

type Profile = Pick<Person, OptionalPersonField>;

/** The optional fields that were asked for; one that is unset, or beyond the viewer's reach, is empty. */
function profile(row: ProfileRow, fields: readonly OptionalPersonField[], limit: number, call: Call): Partial<Profile> {
  const age = () => {
    const years = row.birthday === '' ? -1 : yearsBetween(row.birthday, call.siteTime.date(call.nowMs));
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
