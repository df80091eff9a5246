import { type Statement, sql } from '@gantry/store';
import type { OptionalPersonField } from '@gantry/wire';
import { appDataFields, maxAppDataKeys } from '../app-data-fields.ts';
import { appStatement } from '../apps.ts';
import { levelIndex } from '../authorize.ts';
import { consumerStatement } from '../consumers.ts';
import { lowerBound, measureAll } from '../store/app-data.ts';
import { endedBy, recordedHaving, removedAppData } from '../store/having.ts';
import { inRows, lastOfEach, type Row } from './rows.ts';
import type { World } from './schema.ts';

export interface RecordContext {
  /** 32 bytes: seals consumer secrets. */
  readonly secretKey: Uint8Array;
  readonly nowMs: number;
}

/**
 * The statements that store everything but media items, in an order in which each finds what it refers to. Many records
 * share a statement; of records with one id the last counts.
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
    some.map((member): Row => {
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
  // A record that does not say who administers the site does not decide it: a site's own member table need not know.
  return [
    ...inRows(rows(last.filter(({ admin }) => admin === undefined)), write(sql.empty)),
    ...inRows(rows(last.filter(({ admin }) => admin !== undefined)), write(sql`, admin = excluded.admin`)),
  ];
}

function friendshipStatements(friendships: World['friendships']): Statement[] {
  const rows = friendships.flatMap(([first, second]): Row[] => [
    [first, second],
    [second, first],
  ]);
  return inRows(
    rows,
    (values) => sql`insert into friendship (member_id, friend_id) values ${values} on conflict do nothing`,
  );
}

function blockStatements(blocks: World['blocks']): Statement[] {
  const rows = blocks.map(([blocker, blocked]): Row => [blocked, blocker]);
  return inRows(
    rows,
    (values) => sql`insert into block (blocked_id, blocker_id) values ${values} on conflict do nothing`,
  );
}

function installStatements(installs: World['installs']): Statement[] {
  const last = lastOfEach(installs, ({ memberId, appId }) => `${memberId} ${appId}`);
  const rows = (some: World['installs']) =>
    some.map(({ memberId, appId, removed, visibility = 'site', permissions, changedAt }): Row => {
      const granted = removed ? null : (permissions?.join(' ') ?? null);
      // What has a time was decided by a member; what has none is the site's word.
      const ending = changedAt === undefined ? endedBy.site : endedBy.member;
      const changedAtMs = changedAt === undefined ? 0 : Date.parse(changedAt);
      const level = levelIndex(visibility);
      return [memberId, appId, Number(!removed), level, granted, removed ? ending : endedBy.nobody, changedAtMs];
    });
  const write = (setsLevel: boolean) => (values: Statement) => recordedHaving(values, { setsLevel });
  // Where a record does not say who sees what the app posts, that stays as it was.
  return [
    ...inRows(rows(last.filter(({ visibility }) => visibility === undefined)), write(false)),
    ...inRows(rows(last.filter(({ visibility }) => visibility !== undefined)), write(true)),
    ...last.flatMap(({ memberId, appId, removesData }) => (removesData ? removedAppData({ memberId, appId }) : [])),
  ];
}

function activityStatements(activities: World['activities']): Statement[] {
  const rows = lastOfEach(activities, idOf).map(({ id, userId, appId, title, url, postedTime }): Row => {
    return [id, userId, appId ?? null, title, url === '' ? null : url, Math.floor(Date.parse(postedTime) / 1000)];
  });
  return inRows(
    rows,
    (values) => sql`
    insert into activity (id, member_id, app_id, title, url, posted_at_s) values ${values}
    on conflict (id) do update set member_id = excluded.member_id, app_id = excluded.app_id, title = excluded.title,
      url = excluded.url, posted_at_s = excluded.posted_at_s`,
  );
}

/**
 * Keys are added to what the member has. A member without the app keeps the data out of everyone's sight but their own. One
 * record may have more keys than a member may get otherwise: it is what an export says of somebody who had more before.
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
  const ownerRows = owners.map(({ memberId, appId }): Row => [memberId, appId]);
  return [
    ...inRows(
      owners.map(({ memberId, appId }): Row => [memberId, appId, 0, 0]),
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
    ...inRows(
      rows.map(({ memberId, appId, key, value }): Row => [memberId, appId, key, value]),
      (values) => sql`
      insert into app_data (member_id, app_id, key, value) values ${values}
      on conflict (member_id, app_id, key) do update set value = excluded.value`,
    ),
    ...inRows(ownerRows, (values) => sql`${measureAll} where (member_id, app_id) in (values ${values})`),
    ...inRows(ownerRows, (values) => sql`${lowerBound} and (member_id, app_id) in (values ${values})`),
  ];
}

function albumStatements(albums: World['albums']): Statement[] {
  const rows = lastOfEach(albums, idOf).map((album): Row => {
    const { id, ownerId, title, description, thumbnailUrl, mediaType, visibility } = album;
    return [id, ownerId, title, description, thumbnailUrl, mediaType, levelIndex(visibility)];
  });
  return inRows(
    rows,
    (values) => sql`
    insert into album (id, member_id, title, description, thumbnail_url, media_type, level) values ${values}
    on conflict (id) do update set member_id = excluded.member_id, title = excluded.title,
      description = excluded.description, thumbnail_url = excluded.thumbnail_url, media_type = excluded.media_type,
      level = excluded.level`,
  );
}
