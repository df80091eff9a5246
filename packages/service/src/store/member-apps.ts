import { type Database, type Statement, sql } from '@gantry/store';
import { maxAppDataKeys } from '../fields/app-data.ts';
import { type MemberApp, recountAfterDelete } from './app-data.ts';
import { everythingChanged, memberChanged, personChanged } from './versions.ts';

/*
 * Which member has which app (contract §6, docs/decisions/0033-having-an-app.md). The state is
 * stored when it changes, so a read needs one row. Every change goes through `upsertMemberApps`.
 */

/** Party that removed an app. After the member did, a record without a time does not restore it. */
export const endedBy = { none: 0, site: 1, member: 2 } as const;

/** True if a site's record supersedes the row; its time decides, if it has one. */
const isRecordNewer = sql`(case
  when excluded.changed_at_ms > 0 then excluded.changed_at_ms >= member_app.changed_at_ms
  else excluded.installed = 0 or member_app.ended_by < 2 end)`;

/** True for the first write through an app without permissions, by a member who never had it. */
const isFirstUse = sql`(member_app.installed = 0 and member_app.ended_by = 0)`;

const always = sql`1 = 1`;

/**
 * The only statement that changes which apps members have. An app that the site gave without limits
 * stays unlimited when the member also allows it.
 *
 * @param rows Values, or a select, of member_id, app_id, installed, level, granted, ended_by,
 * changed_at_ms.
 * @param options.when True if an existing row is updated.
 * @param options.setsLevel True if the level of an existing row is updated too.
 */
function upsertMemberApps(
  rows: Statement,
  { when, setsLevel = false }: { readonly when: Statement; readonly setsLevel?: boolean },
): Statement {
  return sql`
    insert into member_app (member_id, app_id, installed, level, granted, ended_by, changed_at_ms) ${rows}
    on conflict (member_id, app_id) do update set
      installed = case when ${when} then excluded.installed else member_app.installed end,
      granted = case when not ${when} then member_app.granted
        when excluded.installed = 1 and member_app.installed = 1 and member_app.granted is null then null
        else excluded.granted end,
      ended_by = case when ${when} and excluded.ended_by > member_app.ended_by then excluded.ended_by
        else member_app.ended_by end,
      changed_at_ms = case when ${when} and excluded.changed_at_ms > member_app.changed_at_ms then excluded.changed_at_ms
        else member_app.changed_at_ms end
      ${setsLevel ? sql`, level = excluded.level` : sql.empty}`;
}

/** Stores installs from records. @param rows `values …` as for `upsertMemberApps`. */
export function recordedInstalls(rows: Statement, { setsLevel }: { readonly setsLevel: boolean }): Statement {
  return upsertMemberApps(sql`values ${rows}`, { when: isRecordNewer, setsLevel });
}

export interface AppDecision {
  /** Expression for the permissions that the member grants, separated by spaces; null for none. */
  readonly granted: Statement;
  /** Gives the member the app if they grant something. Default true. */
  readonly gives?: boolean;
  readonly nowMs: number;
}

function installedAfter({ memberId, appId }: MemberApp, gives: boolean): Statement {
  if (gives) return sql`1`;
  return sql`coalesce((select installed from member_app where member_id = ${memberId} and app_id = ${appId}), 0)`;
}

/**
 * Builds the transaction of a member's decision about an app: they have it while they grant any
 * permission. Unknown members and apps are ignored.
 *
 * @param decision Statements that store the decision itself, which `granted` reads.
 * @param options.removesData Deletes the app's AppData if nothing is granted.
 */
export function decideMemberApp(
  of: MemberApp,
  options: AppDecision & { readonly removesData: boolean; readonly decision: readonly Statement[] },
): readonly Statement[] {
  const { memberId, appId } = of;
  const { granted, gives = true, nowMs, removesData, decision } = options;
  const installed = installedAfter(of, gives);
  const row = sql`member_app where member_id = ${memberId} and app_id = ${appId}`;
  const isOther = sql`
    from ${row} and installed <> case when (select ${granted}) is null then 0 else ${installed} end`;
  const decided = sql`
    select member.id, app.id, case when decided.granted is null then 0 else ${installed} end, 0, decided.granted,
      case when decided.granted is null then 2 else 0 end, ${nowMs}
    from member join app on app.id = ${appId} cross join (select ${granted} as granted) as decided
    where member.id = ${memberId}`;
  return [
    // Two parallel decisions of one member would each miss what the other revokes: locking the row
    // serializes them.
    sql`
      insert into member_app (member_id, app_id, installed, level)
      select member.id, app.id, 0, 0 from member join app on app.id = ${appId} where member.id = ${memberId}
      on conflict (member_id, app_id) do update set installed = member_app.installed`,
    ...decision,
    ...personChanged(memberId, isOther),
    upsertMemberApps(decided, { when: always }),
    ...(removesData ? deleteAppDataWithoutApp(of) : []),
  ];
}

export function deleteAppDataWithoutApp(of: MemberApp): readonly Statement[] {
  const { memberId, appId } = of;
  const from = sql`from member_app where member_id = ${memberId} and app_id = ${appId} and installed = 0`;
  return [
    sql`
      delete from app_data where member_id = ${memberId} and app_id = ${appId} and exists (select 1 ${from})`,
    ...recountAfterDelete(of),
    ...memberChanged(memberId, 'appData', { appId, from }),
  ];
}

/**
 * Gives an app to a member at their first write through it, unless it was removed before.
 *
 * @param options.granted Permissions that the app's own key gets.
 * @param options.when Condition for giving it.
 * @returns True if they have the app afterwards.
 */
export async function installOnFirstUse(
  db: Database,
  { memberId, appId }: MemberApp,
  options: { readonly granted: readonly string[]; readonly nowMs: number; readonly when?: Statement },
): Promise<boolean> {
  const { granted, nowMs, when = always } = options;
  const row = sql`member_app where member_id = ${memberId} and app_id = ${appId}`;
  const [state] = await db.query<{ installed: number; ended_by: number }>(sql`select installed, ended_by from ${row}`);
  if (state !== undefined && (state.installed === 1 || state.ended_by > 0)) return state.installed === 1;
  const people = sql`from member join app on app.id = ${appId} where member.id = ${memberId} and ${when}`;
  await db.batch([
    ...personChanged(
      memberId,
      sql`${people} and not exists (select 1 from ${row} and (installed = 1 or ended_by > 0))`,
    ),
    upsertMemberApps(sql`select member.id, app.id, 1, 0, ${granted.join(' ')}, 0, ${nowMs} ${people}`, {
      when: isFirstUse,
    }),
  ]);
  return (await db.query(sql`select 1 from ${row} and installed = 1`)).length > 0;
}

/**
 * Builds the statements that give apps to members who allowed something before installs were
 * stored. Removed apps stay removed.
 *
 * @param allowed A select of member_id, app_id, granted and changed_at_ms.
 */
export function adoptEarlierGrants(allowed: Statement): readonly Statement[] {
  const rows = sql`
    select member.id, app.id, 1, 0, allowed.granted, 0, allowed.changed_at_ms from (${allowed}) as allowed
    join member on member.id = allowed.member_id join app on app.id = allowed.app_id where true`;
  return [
    upsertMemberApps(rows, { when: isFirstUse }),
    ...everythingChanged(sql`where exists (select 1 from (${allowed}) as allowed)`),
  ];
}

/**
 * Builds the statements that remove an app from all members, because it is deleted or replaced. The
 * new app under its id counts as one they never had.
 *
 * @param options.removesData Deletes its AppData of all members too.
 */
export function endAppForAll(appId: string, { removesData }: { readonly removesData: boolean }): readonly Statement[] {
  return [
    ...(removesData
      ? [
          sql`
            delete from app_data where app_id = ${appId}
              and member_id in (select member_id from member_app where member_app.app_id = ${appId})`,
          sql`
            update member_app set app_data_bytes = 0, app_data_keys = 0, app_data_keys_most = ${maxAppDataKeys}
            where app_id = ${appId}`,
        ]
      : []),
    sql`update member_app set installed = 0, granted = null, ended_by = 0 where app_id = ${appId}`,
    ...everythingChanged(sql`where exists (select 1 from member_app where app_id = ${appId})`),
  ];
}
