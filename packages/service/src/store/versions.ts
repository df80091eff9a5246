import { randomBytes } from 'node:crypto';
import { changeLog, type Database, type Statement, sql } from '@gantry/store';
import { isOneOf } from './one-of.ts';

/**
 * What can change for a member without the rest of the site. `people` stands for all that shows in lists of people and decides
 * what is seen: profile, friends, blocks and apps of the member, and the profiles and apps of their friends.
 *
 * Whatever writes a member's data puts the statement of its topic into the same transaction. Rows stay when the member goes,
 * so that a version never comes back.
 */
export type VersionTopic = 'people' | 'activities' | 'appData' | 'albums';

/** What changed, for pages that are open (docs/decisions/0020-events.md). */
export const siteChanges = changeLog(sql`change_log`);

/** Topic of the log for what may have changed anything. */
export const everything = 'everything';

/**
 * Makes every validator void, and every open page ask anew: settings and imports change anything.
 *
 * @param from As in `memberChanged`.
 */
export function everythingChanged(from: Statement = sql`where true`): readonly Statement[] {
  return [
    sql`
      insert into site_version (one, epoch) select 1, ${newEpoch()} ${from}
      on conflict (one) do update set epoch = excluded.epoch`,
    siteChanges.add({ topic: everything, memberId: '', appId: undefined }, from),
  ];
}

/**
 * Tells that a topic of one member changed.
 *
 * @param options.appId App that the AppData belongs to, or that posted the activity.
 * @param options.from Tables and conditions that have one row if it did, for a write that may be refused.
 */
export function memberChanged(
  memberId: string,
  topic: VersionTopic,
  { appId, from }: { readonly appId?: string | undefined; readonly from?: Statement } = {},
): readonly Statement[] {
  return [
    sql`
      insert into member_version (member_id, topic, n) select ${memberId}, ${topic}, 1 ${from ?? sql`where true`}
      on conflict (member_id, topic) do update set n = member_version.n + 1`,
    siteChanges.add({ topic, memberId, appId }, from),
  ];
}

/**
 * Tells that a member's profile or apps changed, in whose friends' lists they show too. Of a friendship or a block that
 * comes or goes, both members change so; the statements must stand where the friendship does.
 *
 * @param from As in `memberChanged`.
 */
export function personChanged(memberId: string, from?: Statement): readonly Statement[] {
  const ifSo = from === undefined ? sql.empty : sql`and exists (select 1 ${from})`;
  return [
    ...memberChanged(memberId, 'people', from === undefined ? {} : { from }),
    sql`
      insert into member_version (member_id, topic, n)
      select friend_id, 'people', 1 from friendship where member_id = ${memberId} ${ifSo} order by friend_id
      on conflict (member_id, topic) do update set n = member_version.n + 1`,
  ];
}

/**
 * `personChanged` for a member who goes: afterwards nobody could tell whose friend they were, so each friend is one who changed.
 */
export function personGoes(memberId: string): readonly Statement[] {
  return [
    ...personChanged(memberId),
    sql`
      insert into ${siteChanges.table} (topic, member_id)
      select 'people', friend_id from friendship where member_id = ${memberId} order by friend_id`,
  ];
}

/** Text that changes with `everythingChanged`, and cannot be guessed. */
export async function readEpoch(db: Database): Promise<string> {
  const [row] = await db.query<{ epoch: string }>(sql`select epoch from site_version where one = 1`);
  if (row) return row.epoch;
  await db.query(sql`insert into site_version (one, epoch) values (1, ${newEpoch()}) on conflict (one) do nothing`);
  return readEpoch(db);
}

/** What an answer is made of: its topic, of each of the members, and `people`. */
export interface Dependency {
  readonly memberIds: readonly string[];
  readonly topic: VersionTopic;
}

export interface VersionRow {
  /** Null beside what was read with versions, where there are none. */
  readonly version_of: string | null;
  readonly topic: string | null;
  readonly n: number | null;
}

/** Text that changes when `people` or the topic changes for one of the members. */
export async function readVersions(db: Database, { memberIds, topic }: Dependency): Promise<string> {
  const rows = await db.query<VersionRow>(sql`
    select member_id as version_of, topic, n from member_version
    where ${isOneOf(sql`member_id`, memberIds)} and topic in ('people', ${topic}) order by member_id, topic`);
  return versionsText(rows);
}

/** @param rows In order. */
export function versionsText(rows: readonly VersionRow[]): string {
  return rows.flatMap(({ version_of: of, topic, n }) => (of === null ? [] : [`${of} ${topic} ${n}`])).join('\n');
}

function newEpoch(): string {
  return randomBytes(16).toString('base64url');
}
