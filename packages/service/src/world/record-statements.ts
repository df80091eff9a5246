import { type Statement, sql } from '@gantry/store';
import type { OptionalPersonField } from '@gantry/wire';
import { levelIndex } from '../auth/authorize.ts';
import { consumerStatement } from '../auth/consumers.ts';
import { appDataFields, maxAppDataKeys } from '../fields/app-data.ts';
import { lowerKeyLimit, recountAll } from '../store/app-data.ts';
import { appStatement } from '../store/apps.ts';
import { deleteAppDataWithoutApp, endedBy, recordedInstalls } from '../store/member-apps.ts';
import { inBatches, lastOfEach, type RowValues } from './batch-rows.ts';
import type { World } from './schema.ts';

export interface RecordContext {
  readonly secretKey: Uint8Array;
  readonly nowMs: number;
}

/**
 * Builds the statements that store everything except media items, in an order in which each finds
 * the rows it refers to. Many records share a statement; the last record of an id counts.
 */
export function recordStatements(world: World, context: RecordContext): readonly Statement[] {
  return [
    ...memberStatements(world.members),
    ...friendshipStatements(world.friendships),
    ...blockStatements(world.blocks),
    ...world.apps.map(appStatement),
    ...installStatements(world.installs),
    ...world.consumers.map(({ secret = '', ...spec }) => consumerStatement({ ...spec, secret }, context)),
    ...activityStatements(world.activities),
    ...appDataStatements(world.appData),
    ...albumStatements(world.albums),
  ];
}

const idOf = ({ id }: { readonly id: string }) => id;

const visibilityColumns = [
  'aboutMe',
  'addresses',
  'age',
  'birthday',
  'gender',
  'languagesSpoken',
] as const satisfies readonly OptionalPersonField[];

function memberStatements(members: World['members']): Statement[] {
  const last = lastOfEach(members, idOf);
  const rows = (some: World['members']) =>
    some.map((member): RowValues => {
      const { id, displayName, thumbnailUrl, aboutMe, region, birthday, gender, language, visibility, admin } = member;
      const levels = visibilityColumns.map((field) => levelIndex(visibility[field] ?? 'site'));
      const isAdmin = Number(admin ?? false);
      return [id, displayName, thumbnailUrl, aboutMe, region, birthday, gender, language, ...levels, isAdmin];
    });
  const write = (set: Statement) => (values: Statement) =>
    sql`
    insert into member (id, display_name, thumbnail_url, about_me, region, birthday, gender, language,
      about_me_level, region_level, age_level, birthday_level, gender_level, language_level, admin)
    values ${values}
    on conflict (id) do update set display_name = excluded.display_name, thumbnail_url = excluded.thumbnail_url,
      about_me = excluded.about_me, region = excluded.region, birthday = excluded.birthday, gender = excluded.gender,
      language = excluded.language, about_me_level = excluded.about_me_level, region_level = excluded.region_level,
      age_level = excluded.age_level, birthday_level = excluded.birthday_level, gender_level = excluded.gender_level,
      language_level = excluded.language_level ${set}`;
  // A record without `admin` leaves administrators as they are: a site's own member table need not
  // know them.
  return [
    ...inBatches(rows(last.filter(({ admin }) => admin === undefined)), write(sql.empty)),
    ...inBatches(rows(last.filter(({ admin }) => admin !== undefined)), write(sql`, admin = excluded.admin`)),
  ];
}

function friendshipStatements(friendships: World['friendships']): Statement[] {
  const rows = friendships.flatMap(([first, second]): RowValues[] => [
    [first, second],
    [second, first],
  ]);
  return inBatches(
    rows,
    (values) => sql`insert into friendship (member_id, friend_id) values ${values} on conflict do nothing`,
  );
}

function blockStatements(blocks: World['blocks']): Statement[] {
  const rows = blocks.map(([blocker, blocked]): RowValues => [blocked, blocker]);
  return inBatches(
    rows,
    (values) => sql`insert into block (blocked_id, blocker_id) values ${values} on conflict do nothing`,
  );
}

function installStatements(installs: World['installs']): Statement[] {
  const last = lastOfEach(installs, ({ memberId, appId }) => `${memberId} ${appId}`);
  const rows = (some: World['installs']) =>
    some.map(({ memberId, appId, removed, visibility = 'site', permissions, changedAt }): RowValues => {
      const granted = removed ? null : (permissions?.join(' ') ?? null);
      // A record with a time states a member's decision, one without a time the site's.
      const ending = changedAt === undefined ? endedBy.site : endedBy.member;
      const changedAtMs = changedAt === undefined ? 0 : Date.parse(changedAt);
      const level = levelIndex(visibility);
      return [memberId, appId, Number(!removed), level, granted, removed ? ending : endedBy.none, changedAtMs];
    });
  const write = (setsLevel: boolean) => (values: Statement) => recordedInstalls(values, { setsLevel });
  // A record without `visibility` leaves it unchanged.
  return [
    ...inBatches(rows(last.filter(({ visibility }) => visibility === undefined)), write(false)),
    ...inBatches(rows(last.filter(({ visibility }) => visibility !== undefined)), write(true)),
    ...last.flatMap(({ memberId, appId, removesData }) =>
      removesData ? deleteAppDataWithoutApp({ memberId, appId }) : [],
    ),
  ];
}

function activityStatements(activities: World['activities']): Statement[] {
  const rows = lastOfEach(activities, idOf).map(({ id, userId, appId, title, url, postedTime }): RowValues => {
    return [id, userId, appId ?? null, title, url === '' ? null : url, Math.floor(Date.parse(postedTime) / 1000)];
  });
  return inBatches(
    rows,
    (values) => sql`
    insert into activity (id, member_id, app_id, title, url, posted_at_s) values ${values}
    on conflict (id) do update set member_id = excluded.member_id, app_id = excluded.app_id, title = excluded.title,
      url = excluded.url, posted_at_s = excluded.posted_at_s`,
  );
}

/**
 * Adds keys to those that the member has. Without the app, only the member sees the data. One
 * record may exceed the bound of keys: exports contain members from before it existed.
 */
function appDataStatements(appData: World['appData']): Statement[] {
  const owners = lastOfEach(appData, ({ memberId, appId }) => `${memberId} ${appId}`);
  const fields = appData.flatMap(({ memberId, appId, data }) =>
    appDataFields(data, { mostKeys: Number.POSITIVE_INFINITY }).map(([key, value]) => ({
      memberId,
      appId,
      key,
      value,
    })),
  );
  const rows = lastOfEach(fields, ({ memberId, appId, key }) => `${memberId} ${appId} ${key}`);
  const ownerRows = owners.map(({ memberId, appId }): RowValues => [memberId, appId]);
  return [
    ...inBatches(
      owners.map(({ memberId, appId }): RowValues => [memberId, appId, 0, 0]),
      (values) => sql`
      insert into member_app (member_id, app_id, installed, level) values ${values} on conflict do nothing`,
    ),
    ...appData.flatMap(({ memberId, appId, data }) => {
      const keys = Object.keys(data).length;
      if (keys <= maxAppDataKeys) return [];
      return sql`
        update member_app set app_data_keys_most = ${keys}
        where member_id = ${memberId} and app_id = ${appId} and app_data_keys_most < ${keys}`;
    }),
    ...inBatches(
      rows.map(({ memberId, appId, key, value }): RowValues => [memberId, appId, key, value]),
      (values) => sql`
      insert into app_data (member_id, app_id, key, value) values ${values}
      on conflict (member_id, app_id, key) do update set value = excluded.value`,
    ),
    ...inBatches(ownerRows, (values) => sql`${recountAll} where (member_id, app_id) in (values ${values})`),
    ...inBatches(ownerRows, (values) => sql`${lowerKeyLimit} and (member_id, app_id) in (values ${values})`),
  ];
}

function albumStatements(albums: World['albums']): Statement[] {
  const rows = lastOfEach(albums, idOf).map((album): RowValues => {
    const { id, ownerId, title, description, thumbnailUrl, mediaType, visibility } = album;
    return [id, ownerId, title, description, thumbnailUrl, mediaType, levelIndex(visibility)];
  });
  return inBatches(
    rows,
    (values) => sql`
    insert into album (id, member_id, title, description, thumbnail_url, media_type, level) values ${values}
    on conflict (id) do update set member_id = excluded.member_id, title = excluded.title,
      description = excluded.description, thumbnail_url = excluded.thumbnail_url, media_type = excluded.media_type,
      level = excluded.level`,
  );
}
