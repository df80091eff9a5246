import { randomBytes } from 'node:crypto';
import { changeLog, type Database, type Statement, sql } from '@gantry/store';
import { isOneOf } from './one-of.ts';

/**
 * Topic that changes for one member independently of the site. `people` covers everything that
 * lists of people show and that decides visibility: the member's profile, friends, blocks and apps,
 * and their friends' profiles and apps.
 *
 * Each write of a member's data includes the statement of its topic in its transaction. Rows
 * outlive the member, so that a version never recurs.
 */
export type VersionTopic = 'people' | 'activities' | 'appData' | 'albums';

/** Change log for open pages (docs/decisions/0020-events.md). */
export const siteChanges = changeLog(sql`change_log`);

/** Topic of the log for a change that may affect anything. */
export const everythingTopic = 'everything';

/** Voids every validator and reloads every open page: settings and imports may change anything. */
export function everythingChanged(from: Statement = sql`where true`): Statement[] {
  return [
    sql`
      insert into site_version (one, epoch) select 1, ${newEpoch()} ${from}
      on conflict (one) do update set epoch = excluded.epoch`,
    siteChanges.add({ topic: everythingTopic, memberId: '', appId: undefined }, from),
  ];
}

/**
 * Records that a topic of one member changed.
 *
 * @param options.appId App that the AppData belongs to, or that posted the activity.
 * @param options.from Tables and conditions that yield one row if it changed, for a write that may
 * be refused.
 */
export function memberChanged(
  memberId: string,
  topic: VersionTopic,
  { appId, from }: { readonly appId?: string | undefined; readonly from?: Statement } = {},
): readonly Statement[] {
  return [
    raiseVersions(sql`select ${memberId}, ${topic}, 1 ${from ?? sql`where true`}`),
    siteChanges.add({ topic, memberId, appId }, from),
  ];
}

/**
 * Records that a member's profile or apps changed, which friends' lists show too. A friendship or
 * block changes both members; place the statements where the friendship exists.
 *
 * @param from As in `memberChanged`.
 */
export function personChanged(memberId: string, from?: Statement): readonly Statement[] {
  const ifSo = from === undefined ? sql.empty : sql`and exists (select 1 ${from})`;
  return [
    ...memberChanged(memberId, 'people', from === undefined ? {} : { from }),
    raiseVersions(sql`
      select friend_id, 'people', 1 from friendship where member_id = ${memberId} ${ifSo} order by friend_id`),
  ];
}

/** @param rows Select of members, each with a topic and 1, the version of one that has none. */
export function raiseVersions(rows: Statement): Statement {
  return sql`
    insert into member_version (member_id, topic, n) ${rows}
    on conflict (member_id, topic) do update set n = member_version.n + 1`;
}

/** Records that a member is removed, for each friend too: afterwards they cannot be found. */
export function personRemoved(memberId: string): readonly Statement[] {
  return [
    ...personChanged(memberId),
    sql`
      insert into ${siteChanges.table} (topic, member_id)
      select 'people', friend_id from friendship where member_id = ${memberId} order by friend_id`,
  ];
}

/** Returns an unguessable text that changes with `everythingChanged`. */
export async function readEpoch(db: Database): Promise<string> {
  const [row] = await db.query<{ epoch: string }>(sql.repeated(sql`select epoch from site_version where one = 1`));
  if (row) return row.epoch;
  await db.query(sql`insert into site_version (one, epoch) values (1, ${newEpoch()}) on conflict (one) do nothing`);
  return readEpoch(db);
}

/** Data that an answer depends on: the topic and `people`, of each member. */
export interface Dependency {
  readonly memberIds: readonly string[];
  readonly topic: VersionTopic;
}

export interface VersionRow {
  /** Null in the one row of a query that finds no versions. */
  readonly version_of: string | null;
  readonly topic: string | null;
  readonly n: number | null;
}

/** Returns a text that changes with `people` or the topic of one of the members. */
export async function readVersions(db: Database, { memberIds, topic }: Dependency): Promise<string> {
  const rows = await db.query<VersionRow>(
    sql.repeated(sql`
      select member_id as version_of, topic, n from member_version
      where ${isOneOf(sql`member_id`, memberIds)} and topic in ('people', ${topic}) order by member_id, topic`),
  );
  return versionsText(rows);
}

/** @param rows In a fixed order. */
export function versionsText(rows: readonly VersionRow[]): string {
  return rows.flatMap(({ version_of: of, topic, n }) => (of === null ? [] : [`${of} ${topic} ${n}`])).join('\n');
}

function newEpoch(): string {
  return randomBytes(16).toString('base64url');
}
