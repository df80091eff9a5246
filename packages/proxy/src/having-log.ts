import { type Database, type Statement, sql } from '@gantry/store';
import type { AppMember, AppUse, HavingDecision } from './having.ts';
import { proxyChanges } from './own-changes.ts';
import { isRegistered } from './registrations.ts';

/** A change about a member and an app that another Gantry must hear. */
export interface HavingReport {
  readonly viewer: string;
  readonly app_id: string;
  /** Names of all that the member lets the app do, separated by spaces; null where they have it no longer. */
  readonly permissions: string | null;
  /** 1 where what the app saved goes first. */
  readonly removes_data: number;
  /** When the member decided. Each change of a row has another time, so it also names the version of the row. */
  readonly changed_at_ms: number;
  readonly is_pending: number;
  /** 1 where the site answered that it does not take it. */
  readonly is_refused: number;
  /** Failed attempts since the row changed. */
  readonly tries: number;
  readonly due_at_ms: number;
  /** 1 where the app ended, and nothing was decided or written through the one that has its id since. */
  readonly is_ended: number;
}

/** Puts a decision into one transaction with what has to be told of it. */
export function reportDecision(
  { viewer, app, granted, gives, removesData, nowMs }: HavingDecision,
  decision: readonly Statement[],
): readonly Statement[] {
  const row = sql`having_report where viewer = ${viewer} and app_id = ${app}`;
  return [
    // Two decisions of one member at a time would each miss what the other takes back: the row makes one wait.
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
    sql`delete from ${row} and changed_at_ms = 0`, // nothing to tell
  ];
}

/**
 * The statements by which nobody has an app any longer, since it goes or gives way to another one of its id. Its first use
 * after that counts as for members who never had it.
 *
 * @param options.removesData Removes what it saved for all members, too, also for those who have it no longer.
 */
export function reportEnd(
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

/**
 * Notes a member and an app of which nothing was told yet, or nothing since another app of its id ended: allowed before
 * anybody could be told, or trusted.
 */
export async function reportUse(db: Database, { viewer, app, registration, granted, nowMs }: AppUse): Promise<void> {
  await db.query(sql`
    insert into having_report (viewer, app_id, permissions, removes_data, changed_at_ms, is_pending, due_at_ms)
    select ${viewer}, ${app}, ${granted.join(' ')}, 0, ${nowMs}, 1, ${nowMs} where ${isRegistered(app, registration)}
    on conflict (viewer, app_id) do update set permissions = excluded.permissions, changed_at_ms = ${later(nowMs)},
      is_pending = 1, is_refused = 0, tries = 0, due_at_ms = excluded.due_at_ms, is_ended = 0
    where having_report.is_ended = 1`);
}

export async function findReport(db: Database, { viewer, app }: AppMember): Promise<HavingReport | undefined> {
  const [row] = await db.query<HavingReport>(sql`
    select ${columns} from having_report where viewer = ${viewer} and app_id = ${app}`);
  return row;
}

/** Those to be told now, the longest waiting first. */
export function dueReports(db: Database, { nowMs, most }: { readonly nowMs: number; readonly most: number }) {
  return db.query<HavingReport>(sql`
    select ${columns} from having_report where is_pending = 1 and due_at_ms <= ${nowMs}
    order by due_at_ms limit ${most}`);
}

/**
 * Keeps that the site knows, and tells open pages with the app: only now would they be answered otherwise. Where data went
 * first, the rest of the report is told next.
 */
export async function reportTold(db: Database, { viewer, app_id: appId, changed_at_ms: version }: HavingReport) {
  await db.batch([
    sql`
      update having_report set is_pending = case when removes_data = 1 and permissions is not null then 1 else 0 end,
        removes_data = 0, is_refused = 0, tries = 0
      where viewer = ${viewer} and app_id = ${appId} and changed_at_ms = ${version}`,
    ...[viewer, ''].map((memberId) => proxyChanges.add({ topic: 'people', memberId, appId })),
  ]);
}

/** Keeps that it is to be told again at `dueAtMs`. */
export async function reportFailed(
  db: Database,
  { viewer, app_id: app, changed_at_ms: version }: HavingReport,
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
