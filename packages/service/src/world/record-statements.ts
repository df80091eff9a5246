import { type Statement, sql } from '@gantry/store';
import { optionalPersonFields } from '@gantry/wire';
import { consumerStatement } from '../auth/consumers.ts';
import { levelIndex } from '../authorize.ts';
import { appDataFields, maxAppDataKeys } from '../fields/app-data.ts';
import { lowerKeyLimit, recountAll } from '../store/app-data.ts';
import { appStatement } from '../store/apps.ts';
import { deleteAppDataWithoutApp, endedBy, recordedInstalls } from '../store/member-apps.ts';
import { levelColumns, type ProfileLevels, type ProfileRow } from '../store/people.ts';
import { inBatches, lastOfEach, type RowValues, upserts } from './batch-rows.ts';
import type { World } from './schema.ts';

/**
 * Builds the statements that store everything except media items, in an order in which each finds
 * the rows it refers to. Many records share a statement; the last record of an id counts.
 */
export function recordStatements(
  world: World,
  context: { readonly secretKey: Uint8Array; readonly nowMs: number },
): readonly Statement[] {
  return [
    ...memberStatements(world.members),
    ...inBatches(
      world.friendships,
      (rows) => sql`
        with pair (one, other) as (values ${rows}), way (back) as (values (0), (1))
        insert into friendship (member_id, friend_id)
        select case back when 0 then one else other end, case back when 0 then other else one end
        from pair cross join way where true on conflict do nothing`,
    ),
    ...inBatches(
      world.blocks,
      (rows) => sql`insert into block (blocker_id, blocked_id) values ${rows} on conflict do nothing`,
    ),
    ...world.apps.map(appStatement),
    ...installStatements(world.installs),
    ...world.consumers.map(({ secret = '', ...spec }) => consumerStatement({ ...spec, secret }, context)),
    ...activityStatements(world.activities),
    ...appDataStatements(world.appData),
    ...albumStatements(world.albums),
  ];
}

const idOf = ({ id }: { readonly id: string }) => id;

function memberStatements(members: World['members']): readonly Statement[] {
  const last = lastOfEach(members, idOf);
  const rows = (some: World['members']) =>
    some.map(({ id, displayName, thumbnailUrl, aboutMe, visibility, admin, ...member }) => {
      const profile: Omit<ProfileRow, 'has_app' | 'reach'> = {
        id,
        display_name: displayName,
        thumbnail_url: thumbnailUrl,
        about_me: aboutMe,
        region: member.region,
        birthday: member.birthday,
        gender: member.gender,
        language: member.language,
        ...levelsOf(visibility),
      };
      return { ...profile, admin: Number(admin ?? false) };
    });
  // A record without `admin` leaves administrators as they are: a site's table need not know them.
  return [
    ...upserts(sql`member`, rows(last.filter(({ admin }) => admin === undefined)), ['admin']),
    ...upserts(sql`member`, rows(last.filter(({ admin }) => admin !== undefined))),
  ];
}

function levelsOf(visibility: World['members'][number]['visibility']): ProfileLevels {
  const fields = optionalPersonFields.map((field) => [levelColumns[field], levelIndex(visibility[field] ?? 'site')]);
  return Object.fromEntries(fields);
}

function installStatements(installs: World['installs']): readonly Statement[] {
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
    ...last.filter(({ removesData }) => removesData).flatMap(deleteAppDataWithoutApp),
  ];
}

function activityStatements(activities: World['activities']): readonly Statement[] {
  const rows = lastOfEach(activities, idOf).map(({ id, userId, appId, title, url, postedTime }) => ({
    id,
    member_id: userId,
    app_id: appId ?? null,
    title,
    url: url === '' ? null : url,
    posted_at_s: Math.floor(Date.parse(postedTime) / 1000),
  }));
  return upserts(sql`activity`, rows);
}

/**
 * Adds keys to those that the member has. Without the app, only the member sees the data. One
 * record may exceed the bound of keys: exports contain members from before it existed.
 */
function appDataStatements(appData: World['appData']): readonly Statement[] {
  const owners = lastOfEach(appData, ({ memberId, appId }) => `${memberId} ${appId}`);
  const fields = appData.flatMap(({ memberId, appId, data }) =>
    appDataFields(data, { mostKeys: Number.POSITIVE_INFINITY }).map(([key, value]) => [memberId, appId, key, value]),
  );
  const rows = lastOfEach(fields, ([memberId, appId, key]) => `${memberId} ${appId} ${key}`);
  const ownerRows = owners.map(({ memberId, appId }): RowValues => [memberId, appId]);
  return [
    ...inBatches(
      ownerRows.map((owner) => [...owner, 0, 0]),
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
      rows,
      (values) => sql`
      insert into app_data (member_id, app_id, key, value) values ${values}
      on conflict (member_id, app_id, key) do update set value = excluded.value`,
    ),
    ...inBatches(ownerRows, (values) => sql`${recountAll} where (member_id, app_id) in (values ${values})`),
    ...inBatches(ownerRows, (values) => sql`${lowerKeyLimit} and (member_id, app_id) in (values ${values})`),
  ];
}

function albumStatements(albums: World['albums']): readonly Statement[] {
  const rows = lastOfEach(albums, idOf).map((album) => ({
    id: album.id,
    member_id: album.ownerId,
    title: album.title,
    description: album.description,
    thumbnail_url: album.thumbnailUrl,
    media_type: album.mediaType,
    level: levelIndex(album.visibility),
  }));
  return upserts(sql`album`, rows);
}
