import { type Statement, sql } from '@gantry/store';
import { isOneOf } from '../store/one-of.ts';
import {
  everythingChanged,
  memberChanged,
  personChanged,
  personRemoved,
  raiseVersions,
  siteChanges,
  type VersionTopic,
} from '../store/versions.ts';
import type { World } from './schema.ts';

/** With more members than this, one statement voids all validators instead of hundreds. */
const mostMembers = 100;

/**
 * Returns the statements that invalidate validators (docs/decisions/0007-validators.md), for before
 * and after the records of the same transaction: before for moved activities and albums and for
 * removed members. @param isImport Large import: everything changed.
 */
export function changeStatements(world: World, isImport: boolean): Readonly<Record<'before' | 'after', Statement[]>> {
  if (isImport || world.site !== undefined) return { before: [], after: everythingChanged() };
  const people = new Set([
    ...world.members.map(({ id }) => id),
    ...world.friendships.flat(),
    ...world.blocks.flat(),
    ...world.installs.map(({ memberId }) => memberId),
  ]);
  const parted = new Set([...world.endedFriendships.flat(), ...world.endedBlocks.flat()]);
  const others = world.activities.length + world.appData.length + world.albums.length + world.mediaItems.length;
  if (people.size + parted.size + world.removed.length + others > mostMembers) {
    return { before: [], after: everythingChanged() };
  }
  const activityIds = world.activities.map(({ id }) => id);
  const albumIds = [...world.albums.map(({ id }) => id), ...world.mediaItems.map(({ albumId }) => albumId)];
  const itemIds = world.mediaItems.map(({ id }) => id);
  return {
    before: [
      ...world.removed.toSorted().flatMap(personRemoved),
      ...[...parted].toSorted().flatMap((id) => personChanged(id)),
      ...ownersChanged('activities', sql`activity where ${isOneOf(sql`id`, activityIds)}`),
      ...ownersChanged('albums', sql`album where ${isOneOf(sql`id`, albumIds)}`),
      ...ownersChanged(
        'albums',
        sql`album where id in (select album_id from media_item where ${isOneOf(sql`id`, itemIds)})`,
      ),
    ],
    after: [
      ...[...people].toSorted().flatMap((id) => personChanged(id)),
      ...changed('activities', world.activities, ({ userId }) => userId),
      ...changed('appData', world.appData, ({ memberId }) => memberId),
      ...ownersChanged('albums', sql`album where ${isOneOf(sql`id`, albumIds)}`),
    ],
  };
}

function changed<T>(topic: VersionTopic, records: readonly T[], owner: (record: T) => string): readonly Statement[] {
  return [...new Set(records.map(owner))].toSorted().flatMap((memberId) => memberChanged(memberId, topic));
}

/** Records a change of the topic for the owners of rows. */
function ownersChanged(topic: VersionTopic, rows: Statement): readonly Statement[] {
  return [
    raiseVersions(sql`select distinct member_id, ${topic}, 1 from ${rows} order by member_id`),
    sql`
      insert into ${siteChanges.table} (topic, member_id)
      select distinct ${topic}, member_id from ${rows} order by member_id`,
  ];
}
