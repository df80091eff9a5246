import { type Statement, sql } from '@gantry/store';
import type { OptionalPersonField } from '@gantry/wire';
import { appDataFields } from '../app-data-fields.ts';
import { appStatement, installStatement } from '../apps.ts';
import { levelIndex } from '../authorize.ts';
import { consumerStatement } from '../consumers.ts';
import { countBytes } from '../store/app-data.ts';
import type { World, WorldRecord } from './schema.ts';

export interface RecordContext {
  /** 32 bytes: seals consumer secrets. */
  readonly secretKey: Uint8Array;
  readonly nowMs: number;
}

/** The statements that store everything but media items, in an order in which each finds what it refers to. */
export function recordStatements(world: World, context: RecordContext): readonly Statement[] {
  return [
    ...world.members.map(memberStatement),
    ...world.friendships.flatMap(([first, second]) => [friendship(first, second), friendship(second, first)]),
    ...world.blocks.map(
      ([blocker, blocked]) => sql`
        insert into block (blocked_id, blocker_id) values (${blocked}, ${blocker}) on conflict do nothing`,
    ),
    ...world.apps.map(appStatement),
    ...world.installs.map(installStatement),
    ...world.consumers.map(({ secret = '', ...spec }) => consumerStatement({ ...spec, secret }, context)),
    ...world.activities.map(activityStatement),
    ...world.appData.flatMap(appDataStatements),
    ...world.albums.map(albumStatement),
  ];
}

function memberStatement(member: WorldRecord<'members'>): Statement {
  const { id, displayName, thumbnailUrl, aboutMe, region, birthday, gender, language, visibility, admin } = member;
  const level = (field: OptionalPersonField) => levelIndex(visibility[field] ?? 'site');
  return sql`
    insert into member (id, display_name, thumbnail_url, about_me, region, birthday, gender, language,
      about_me_level, region_level, age_level, birthday_level, gender_level, language_level, admin)
    values (${id}, ${displayName}, ${thumbnailUrl}, ${aboutMe}, ${region}, ${birthday}, ${gender}, ${language},
      ${level('aboutMe')}, ${level('addresses')}, ${level('age')}, ${level('birthday')}, ${level('gender')},
      ${level('languagesSpoken')}, ${Number(admin)})
    on conflict (id) do update set display_name = excluded.display_name, thumbnail_url = excluded.thumbnail_url,
      about_me = excluded.about_me, region = excluded.region, birthday = excluded.birthday, gender = excluded.gender,
      language = excluded.language, about_me_level = excluded.about_me_level, region_level = excluded.region_level,
      age_level = excluded.age_level, birthday_level = excluded.birthday_level, gender_level = excluded.gender_level,
      language_level = excluded.language_level, admin = excluded.admin`;
}

function friendship(member: string, friend: string): Statement {
  return sql`insert into friendship (member_id, friend_id) values (${member}, ${friend}) on conflict do nothing`;
}

function activityStatement({ id, userId, appId, title, url, postedTime }: WorldRecord<'activities'>): Statement {
  const postedAtS = Math.floor(Date.parse(postedTime) / 1000);
  return sql`
    insert into activity (id, member_id, app_id, title, url, posted_at_s)
    values (${id}, ${userId}, ${appId ?? null}, ${title}, ${url === '' ? null : url}, ${postedAtS})
    on conflict (id) do update set member_id = excluded.member_id, app_id = excluded.app_id, title = excluded.title,
      url = excluded.url, posted_at_s = excluded.posted_at_s`;
}

/** Keys are added to what the member has. A member without the app keeps the data out of everyone's sight but their own. */
function appDataStatements({ appId, memberId, data }: WorldRecord<'appData'>): readonly Statement[] {
  return [
    sql`
      insert into member_app (member_id, app_id, installed, level) values (${memberId}, ${appId}, 0, 0)
      on conflict do nothing`,
    ...appDataFields(data).map(
      ([key, value]) => sql`
        insert into app_data (member_id, app_id, key, value) values (${memberId}, ${appId}, ${key}, ${value})
        on conflict (member_id, app_id, key) do update set value = excluded.value`,
    ),
    countBytes({ memberId, appId }),
  ];
}

function albumStatement(album: WorldRecord<'albums'>): Statement {
  const { id, ownerId, title, description, thumbnailUrl, mediaType, visibility } = album;
  return sql`
    insert into album (id, member_id, title, description, thumbnail_url, media_type, level)
    values (${id}, ${ownerId}, ${title}, ${description}, ${thumbnailUrl}, ${mediaType}, ${levelIndex(visibility)})
    on conflict (id) do update set member_id = excluded.member_id, title = excluded.title,
      description = excluded.description, thumbnail_url = excluded.thumbnail_url, media_type = excluded.media_type,
      level = excluded.level`;
}
