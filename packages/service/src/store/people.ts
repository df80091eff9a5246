import { type Database, type Statement, sql } from '@gantry/store';
import { compareIds, type OptionalPersonField } from '@gantry/wire';
import type { Requester } from '../authorize.ts';
import { textWithin } from './bounded-text.ts';
import { isOneOf } from './one-of.ts';
import { type Page, type Range, readPage } from './page.ts';
import { friendsOfSeveral, keysOfSeveral } from './several-members.ts';
import { hasApp, isVisible, isVisibleMember, reachInto } from './visibility.ts';

export interface PersonRow {
  readonly id: string;
  readonly display_name: string;
  readonly thumbnail_url: string;
  readonly has_app: number;
}

/** Column with the level of each optional field. */
export const levelColumns = {
  aboutMe: 'about_me_level',
  addresses: 'region_level',
  age: 'age_level',
  birthday: 'birthday_level',
  gender: 'gender_level',
  languagesSpoken: 'language_level',
} as const satisfies Record<OptionalPersonField, string>;
export type ProfileLevels = Readonly<Record<(typeof levelColumns)[OptionalPersonField], number>>;

/** Row with all optional fields and their levels. */
export interface ProfileRow extends PersonRow, ProfileLevels {
  readonly reach: number;
  readonly about_me: string;
  readonly region: string;
  readonly birthday: string;
  readonly gender: string;
  readonly language: string;
}

/** Members of whom to read all optional fields, if `profile`. */
export interface PeopleOptions {
  readonly ids: readonly string[];
  readonly profile: boolean;
}

interface FriendsOptions extends PeopleOptions {
  readonly onlyWithApp: boolean;
  readonly range: Range;
}

/** Returns the visible members by id; others are absent. */
export async function peopleById(
  db: Database,
  requester: Requester,
  { ids, profile }: PeopleOptions,
): Promise<ReadonlyMap<string, PersonRow | ProfileRow>> {
  const rows = await db.query<PersonRow | ProfileRow>(sql`
    select ${columns(requester, profile)} from member
    where ${isOneOf(sql`member.id`, ids)} and ${isVisible(requester.memberId, sql`member.id`)}`);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Reads a page of the visible friends of any of the visible members among `ids`. */
export function friendsPage(
  db: Database,
  requester: Requester,
  { ids, profile, onlyWithApp, range }: FriendsOptions,
): Promise<Page<PersonRow | ProfileRow>> {
  const viewer = requester.memberId;
  const [only] = ids;
  if (only !== undefined && ids.length === 1) {
    // Reads along the index of one member's friends, in order: the cost is that of the page.
    const friend = sql`friendship.friend_id`;
    // Few friends have an app, so that is asked first.
    const seen = sql`where friendship.member_id = ${only} and ${isVisibleMember(viewer, only)}
      ${onlyWithApp ? sql`and ${hasApp(requester.appId, friend)} = 1` : sql.empty} and ${isVisible(viewer, friend)}`;
    const from = sql`friendship join member on member.id = friend_id ${seen}`;
    const order = sql`length(friend_id), friend_id`;
    const list = {
      columns: columns(requester, profile, onlyWithApp ? sql`1` : undefined),
      from,
      countFrom: sql`friendship ${seen}`,
      order,
    };
    return readPage(db, list, range);
  }
  return friendsOfSeveralPage(db, requester, { ids, profile, onlyWithApp, range });
}

async function friendsOfSeveralPage(
  db: Database,
  requester: Requester,
  { ids, profile, onlyWithApp, range }: FriendsOptions,
): Promise<Page<PersonRow | ProfileRow>> {
  const friends = await friendsOfSeveral(db, requester.memberId, ids);
  const matches = onlyWithApp ? await withApp(db, requester, friends) : friends;
  const page = matches.toSorted(compareIds).slice(range.startIndex, range.startIndex + range.count);
  const people = page.length === 0 ? undefined : await peopleById(db, requester, { ids: page, profile });
  return { rows: page.flatMap((id) => people?.get(id) ?? []), total: matches.length };
}

/** Returns those of the members who have the requester's app. */
function withApp(db: Database, { appId }: Requester, members: readonly string[]): Promise<readonly string[]> {
  return keysOfSeveral(db, members, (some) => ({
    key: sql`a.member_id`,
    from: sql`member_app as a where ${isOneOf(sql`a.member_id`, some)} and a.app_id = ${appId ?? null} and a.installed = 1`,
    seen: sql`1 = 1`,
  }));
}

// Names and addresses are short since migration 13, which keeps these columns of every list cheap.
const optional = sql`${textWithin(sql`about_me`)} as about_me, region, birthday, gender, language,
  ${sql.names(Object.values(levelColumns))}`;

function columns({ memberId, appId }: Requester, profile: boolean, has = hasApp(appId, sql`member.id`)): Statement {
  const basic = sql`member.id, display_name, thumbnail_url, ${has} as has_app`;
  return profile ? sql`${basic}, ${reachInto(memberId, sql`member.id`)} as reach, ${optional}` : basic;
}
