import { type Database, type Statement, sql } from '@gantry/store';
import { isRegistered } from '../apps/registrations.ts';
import { proxyChangeLog } from '../events/proxied-changes.ts';
import type { AppMember, AppUse, InstallDecision } from './installs.ts';

/** A row of `having_report`: the state of an install that another Gantry must receive. */
export interface InstallReport {
  readonly viewer: string;
  readonly app_id: string;
  /** Names of all grants, separated by spaces; null if the member has removed the app. */
  readonly permissions: string | null;
  /** 1 if the app's data must be deleted first. */
  readonly removes_data: number;
  /** Time of the decision. Unique for each change of the row, so it is also its version. */
  readonly changed_at_ms: number;
  readonly is_pending: number;
  /** 1 if the site refused the report. */
  readonly is_refused: number;
  /** Failed attempts since the row changed. */
  readonly tries: number;
  readonly due_at_ms: number;
  /** 1 if the app was removed or replaced, and its successor was neither decided on nor used. */
  readonly is_ended: number;
}

/** Adds the statements that report a decision, for one transaction. */
export function reportDecision(
  { viewer, app, granted, gives, removesData, nowMs }: InstallDecision,
  decision: readonly Statement[],
): readonly Statement[] {
  return [
    // Locks the row: concurrent decisions of a member would each miss the other's revocations.
    sql`
      insert into having_report (viewer, app_id, removes_data, changed_at_ms, is_pending, due_at_ms)
      values (${viewer}, ${app}, 0, 0, 0, 0) on conflict (viewer, app_id) do update set is_pending = having_report.is_pending`,
    ...decision,
    sql`
      update having_report set permissions = decided.granted,
        removes_data = case when decided.granted is null and ${Number(removesData)} = 1 then 1 else removes_data end,
        changed_at_ms = ${later(nowMs)}, is_pending = 1, is_refused = 0, tries = 0, due_at_ms = ${nowMs}, is_ended = 0
      from (select ${granted} as granted) as decided
      where viewer = ${viewer} and app_id = ${app}
        and (decided.granted is null or ${Number(gives)} = 1 or permissions is not null)`,
    sql`delete from having_report where viewer = ${viewer} and app_id = ${app} and changed_at_ms = 0`, // nothing to report
  ];
}

/**
 * Returns the statements that report the end of an app, removed or replaced, for all members. Its
 * successor is installed anew by its first use.
 *
 * @param options.removesData Deletes the app's data of all members, former ones included.
 */
export function reportAppEnd(
  app: string,
  { removesData, nowMs }: { readonly removesData: boolean; readonly nowMs: number },
): readonly Statement[] {
  return [
    sql`
      update having_report set permissions = null, changed_at_ms = ${later(nowMs)}, is_pending = 1, is_refused = 0, tries = 0,
        removes_data = case when ${Number(removesData)} = 1 then 1 else removes_data end, due_at_ms = ${nowMs}
      where app_id = ${app} and (permissions is not null or ${Number(removesData)} = 1)`,
    sql`update having_report set is_ended = 1 where app_id = ${app}`,
  ];
}

/** Reports an install that was never reported, or not since the id's former app ended. */
export async function reportUse(db: Database, { viewer, app, registration, granted, nowMs }: AppUse): Promise<void> {
  await db.query(sql`
    insert into having_report (viewer, app_id, permissions, removes_data, changed_at_ms, is_pending, due_at_ms)
    select ${viewer}, ${app}, ${granted.join(' ')}, 0, ${nowMs}, 1, ${nowMs} where ${isRegistered(app, registration)}
    on conflict (viewer, app_id) do update set permissions = excluded.permissions, changed_at_ms = ${later(nowMs)},
      is_pending = 1, is_refused = 0, tries = 0, due_at_ms = excluded.due_at_ms, is_ended = 0
    where having_report.is_ended = 1`);
}

export async function findReport(db: Database, { viewer, app }: AppMember): Promise<InstallReport | undefined> {
  const [row] = await db.query<InstallReport>(sql`
    select ${columns} from having_report where viewer = ${viewer} and app_id = ${app}`);
  return row;
}

/** Finds the reports that are due, the longest waiting first. */
export function dueReports(db: Database, { nowMs, most }: { readonly nowMs: number; readonly most: number }) {
  return db.query<InstallReport>(sql`
    select ${columns} from having_report where is_pending = 1 and due_at_ms <= ${nowMs}
    order by due_at_ms limit ${most}`);
}

/**
 * Marks a report as received and notifies open pages with the app. A report that deleted data first
 * stays pending for the rest.
 */
export async function markReported(db: Database, { viewer, app_id: appId, changed_at_ms: version }: InstallReport) {
  await db.batch([
    sql`
      update having_report set is_pending = case when removes_data = 1 and permissions is not null then 1 else 0 end,
        removes_data = 0, is_refused = 0, tries = 0
      where viewer = ${viewer} and app_id = ${appId} and changed_at_ms = ${version}`,
    ...[viewer, ''].map((memberId) => proxyChangeLog.add({ topic: 'people', memberId, appId })),
  ]);
}

/** Schedules a retry at `dueAtMs`. */
export async function markFailed(
  db: Database,
  { viewer, app_id: app, changed_at_ms: version }: InstallReport,
  { dueAtMs, isRefused }: { readonly dueAtMs: number; readonly isRefused: boolean },
): Promise<void> {
  await db.query(sql`
    update having_report set tries = tries + 1, due_at_ms = ${dueAtMs}, is_refused = ${Number(isRefused)}
    where viewer = ${viewer} and app_id = ${app} and changed_at_ms = ${version}`);
}

const columns = sql`viewer, app_id, permissions, removes_data, changed_at_ms, is_pending, is_refused, tries, due_at_ms,
  is_ended`;

function later(nowMs: number): Statement {
  return sql`
    case when having_report.changed_at_ms < ${nowMs} then ${nowMs} else having_report.changed_at_ms + 1 end`;
}
