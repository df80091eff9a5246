import { type Database, type Statement, sql } from '@gantry/store';
import { maxAppDataKeys } from '../app-data-fields.ts';
import { measureLess } from './app-data.ts';
import { everythingChanged, memberChanged, personChanged } from './versions.ts';

/*
 * Who has which app (contract §6, docs/decisions/0033-having-an-app.md). It is stored when it changes, so that reads ask one
 * row. Whatever gives or ends it goes through `keepHaving`.
 */

export interface MemberOfApp {
  readonly memberId: string;
  readonly appId: string;
}

/** Ends having in the site's name, or in the member's: then a record without a time does not give the app again. */
export const endedBy = { nobody: 0, site: 1, member: 2 } as const;

/** A change that a record of the site brings: its time, if it has one, decides whether it is newer. */
const isRecordNewer = sql`(case
  when excluded.changed_at_ms > 0 then excluded.changed_at_ms >= member_app.changed_at_ms
  else excluded.installed = 0 or member_app.ended_by < 2 end)`;

/** The first write through an app that asks for nothing gives it to members who never had it. */
const isFirstUse = sql`(member_app.installed = 0 and member_app.ended_by = 0)`;

const always = sql`1 = 1`;

/**
 * The one statement by which members come to have an app or have it no longer. An app that a member has without limits stays
 * so when they also allow it.
 *
 * @param rows Values, or a select, of member_id, app_id, installed, level, granted, ended_by, changed_at_ms.
 * @param options.when True where a row that is there gives way.
 * @param options.setsLevel Whether the level of a row that is there changes too.
 */
function keepHaving(
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

/** Keeps what records say of members and apps. @param rows `values …` as for `keepHaving`. */
export function recordedHaving(rows: Statement, { setsLevel }: { readonly setsLevel: boolean }): Statement {
  return keepHaving(sql`values ${rows}`, { when: isRecordNewer, setsLevel });
}

/** Gives a member an app without limits: the site's word. */
export function addedHaving(
  { memberId, appId }: MemberOfApp,
  { level, nowMs }: { readonly level: number | undefined; readonly nowMs: number },
): readonly Statement[] {
  const row = [memberId, appId, 1, level ?? 0, null, endedBy.nobody, nowMs];
  return [
    keepHaving(sql`values ${sql.rows([row])}`, { when: always, setsLevel: level !== undefined }),
    ...personChanged(memberId),
  ];
}

/** Takes an app from a member, with what it saved for them. What it posted keeps its level. */
export function removedHaving(of: MemberOfApp, nowMs: number): readonly Statement[] {
  return [...changedHaving(of, { granted: sql`null`, nowMs }), ...removedAppData(of), ...personChanged(of.memberId)];
}

export interface Decided {
  /** An expression: names of all that the member now lets the app do, separated by spaces; null for nothing. */
  readonly granted: Statement;
  /** True where they have the app from now on if they let it do something. Default true. */
  readonly gives?: boolean;
  readonly nowMs: number;
}

function changedHaving(of: MemberOfApp, { granted, gives = true, nowMs }: Decided): readonly Statement[] {
  const { memberId, appId } = of;
  const rows = sql`
    select member.id, app.id, case when decided.granted is null then 0 else ${havingThen(of, gives)} end, 0, decided.granted,
      case when decided.granted is null then 2 else 0 end, ${nowMs}
    from member join app on app.id = ${appId} cross join (select ${granted} as granted) as decided
    where member.id = ${memberId}`;
  return [keepHaving(rows, { when: always })];
}

function havingThen({ memberId, appId }: MemberOfApp, gives: boolean): Statement {
  if (gives) return sql`1`;
  return sql`coalesce((select installed from member_app where member_id = ${memberId} and app_id = ${appId}), 0)`;
}

/**
 * The statements of a transaction in which a member decides about an app: they have it while they let it do something, and
 * have it no longer once they took everything back. A member or an app that the site does not know has nothing.
 *
 * @param decision The statements that keep the decision itself, which `granted` reads.
 * @param options.removesData Removes what the app saved, if nothing is granted then.
 */
export function decidedHaving(
  of: MemberOfApp,
  {
    removesData,
    decision,
    ...decided
  }: Decided & { readonly removesData: boolean; readonly decision: readonly Statement[] },
): readonly Statement[] {
  const { memberId, appId } = of;
  const row = sql`member_app where member_id = ${memberId} and app_id = ${appId}`;
  const isOther = sql`
    from ${row} and installed <> case when (select ${decided.granted}) is null then 0
      else ${havingThen(of, decided.gives ?? true)} end`;
  return [
    // Two decisions of one member at a time would each miss what the other takes back: the row makes one wait.
    sql`
      insert into member_app (member_id, app_id, installed, level)
      select member.id, app.id, 0, 0 from member join app on app.id = ${appId} where member.id = ${memberId}
      on conflict (member_id, app_id) do update set installed = member_app.installed`,
    ...decision,
    ...personChanged(memberId, isOther),
    ...changedHaving(of, decided),
    ...(removesData ? removedAppData(of) : []),
  ];
}

/** Removes what an app saved for a member who does not have it. */
export function removedAppData(of: MemberOfApp): readonly Statement[] {
  const { memberId, appId } = of;
  const from = sql`from member_app where member_id = ${memberId} and app_id = ${appId} and installed = 0`;
  return [
    sql`
      delete from app_data where member_id = ${memberId} and app_id = ${appId} and exists (select 1 ${from})`,
    ...measureLess(of),
    ...memberChanged(memberId, 'appData', { appId, from }),
  ];
}

/**
 * Gives an app to a member at their first write through it, unless they had it before and it was ended.
 *
 * @param options.granted Names of what a key of the app itself may do for them.
 * @param options.when A condition under which it is given.
 * @returns True if they have it then.
 */
export async function useApp(
  db: Database,
  { memberId, appId }: MemberOfApp,
  {
    granted,
    nowMs,
    when = always,
  }: { readonly granted: readonly string[]; readonly nowMs: number; readonly when?: Statement },
): Promise<boolean> {
  const row = sql`member_app where member_id = ${memberId} and app_id = ${appId}`;
  const [known] = await db.query<{ installed: number; ended_by: number }>(sql`select installed, ended_by from ${row}`);
  if (known !== undefined && (known.installed === 1 || known.ended_by > 0)) return known.installed === 1;
  const people = sql`from member join app on app.id = ${appId} where member.id = ${memberId} and ${when}`;
  await db.batch([
    ...personChanged(
      memberId,
      sql`${people} and not exists (select 1 from ${row} and (installed = 1 or ended_by > 0))`,
    ),
    keepHaving(sql`select member.id, app.id, 1, 0, ${granted.join(' ')}, 0, ${nowMs} ${people}`, { when: isFirstUse }),
  ]);
  return (await db.query(sql`select 1 from ${row} and installed = 1`)).length > 0;
}

/**
 * The statements that give apps to members who allowed something before having was stored. Nothing that was ended comes back.
 *
 * @param allowed A select of member_id, app_id, granted and changed_at_ms.
 */
export function allowedBefore(allowed: Statement): readonly Statement[] {
  const rows = sql`
    select member.id, app.id, 1, 0, allowed.granted, 0, allowed.changed_at_ms from (${allowed}) as allowed
    join member on member.id = allowed.member_id join app on app.id = allowed.app_id where true`;
  return [
    keepHaving(rows, { when: isFirstUse }),
    ...everythingChanged(sql`where exists (select 1 from (${allowed}) as allowed)`),
  ];
}

/**
 * The statements by which nobody has an app any longer, since it goes or gives way to another one of its id. Whatever gives
 * the new one gives it as to members who never had it.
 *
 * @param options.removesData Removes what it saved for all members, too.
 */
export function endHaving(appId: string, { removesData }: { readonly removesData: boolean }): readonly Statement[] {
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

/** Counts the members who have an app. */
export async function countHaving(db: Database, appId: string): Promise<number> {
  const [row] = await db.query<{ n: number }>(sql`
    select count(*) as n from member_app where app_id = ${appId} and installed = 1`);
  return Number(row?.n ?? 0);
}
