import { hash } from 'node:crypto';
import { type ChangeLog, type Database, type Statement, StoreError, sql } from '@gantry/store';
import type { PermissionName } from '@gantry/wire';
import {
  type Access,
  accessOf,
  type DecidedRow,
  type Declared,
  declaredBy,
  describe,
  digestOf,
  findAccess,
  grantsOf,
} from './access.ts';
import type { Log } from './calls.ts';
import { grantsChanged } from './changes.ts';
import type { Having } from './having.ts';
import { appReplaced, appRow, type RegisteredApp } from './registrations.ts';

/** Where decisions are kept. */
export interface Decisions {
  readonly db: Database;
  /** Where open pages of the member hear of them. */
  readonly changes: ChangeLog;
  /** What they mean for having the app. Absent before a site that cannot be told. */
  readonly having: Having | undefined;
  readonly now: () => number;
  /** Gets a line for each decision. */
  readonly log: Log;
}

export interface Decision {
  readonly viewer: string;
  readonly app: string;
  readonly grant?: readonly string[];
  readonly revoke?: readonly string[];
  /** Also remove what the app saved for the member, if nothing is granted then. */
  readonly removesData?: boolean;
  /** What was registered when the member was asked (security rule 29). Default: what is registered now. */
  readonly registration?: string;
}

/**
 * Keeps what a member decided about an app, and with it whether they have the app. Names that the app does not declare are left
 * out: nobody was asked about those.
 *
 * @returns How things stand then; `undefined` where there is no such app.
 * @throws SocialError APP_REPLACED where another app has the id now.
 */
export async function decide(
  { db, changes, having, now, log }: Decisions,
  { viewer, app, grant = [], revoke = [], removesData = false, registration: asked }: Decision,
): Promise<Access | undefined> {
  const find = async () => (await findAccess(db, { viewer, apps: [app] })).get(app);
  const access = await find();
  if (access === undefined) return undefined;
  const { registration } = access.app;
  if (asked !== undefined && asked !== registration) throw appReplaced();
  const declared = declaredBy(access.app);
  const digest = digestOf(declared);
  const nowMs = now();
  const rows = [...declared.required, ...declared.optional]
    .filter((name) => grant.includes(name) || revoke.includes(name))
    .map((name) => [viewer, app, name, revoke.includes(name) ? 0 : 1, digest, nowMs] as const);
  if (rows.length === 0) return access;
  const present = sql`(select registration from app_registrations where id = ${app} and registration = ${registration})`;
  const statements = [
    // For another registration the name is null, which fails the transaction: nothing of it is meant for the new app.
    sql`
      insert into app_grants (viewer, app_id, permission, granted, manifest_digest, decided_at_ms, registration)
      values ${sql.join(rows.map((row) => sql`(${sql.join([...row, present])})`))}
      on conflict (viewer, app_id, permission) do update set granted = excluded.granted,
        manifest_digest = excluded.manifest_digest, decided_at_ms = excluded.decided_at_ms,
        registration = excluded.registration`,
    grantsChanged(changes, { viewer, app }),
  ];
  const gives = rows.some(([, , , isGranted]) => isGranted === 1);
  const granted = grantedNow({ viewer, app: access.app, declared });
  const decided = { viewer, app, granted, gives, removesData, nowMs };
  try {
    await db.batch(having?.decided(decided, statements) ?? statements);
  } catch (error) {
    const isOther = error instanceof StoreError && error.reason === 'constraint';
    if (isOther && (await find())?.app.registration !== registration) throw appReplaced();
    throw error;
  }
  for (const [isGranted, message] of [
    [1, 'allowed'],
    [0, 'taken back'],
  ] as const) {
    const permissions = rows.flatMap(([, , name, value]) => (value === isGranted ? [name] : []));
    if (permissions.length === 0) continue;
    log.info({ member: memberMark(viewer), app, permissions, ...(isGranted === 0 && { removesData }) }, message);
  }
  return find();
}

/** How a member appears in logs: the first 12 hexadecimal digits of the SHA-256 of the id, as with consumer keys. */
export function memberMark(id: string): string {
  return hash('sha256', id, 'hex').slice(0, 12);
}

/** The expression `HavingDecision.granted`: never more than is declared now. */
export function grantedNow({
  viewer,
  app: { id, registration, trusted },
  declared,
}: {
  readonly viewer: string;
  readonly app: RegisteredApp;
  readonly declared: Declared;
}): Statement {
  const names = [...declared.required, ...declared.optional].map((name) => [name]);
  return sql`(
    with declared (permission) as (values ${sql.rows(names)})
    select string_agg(declared.permission, ' ' order by declared.permission) from declared
    left join app_grants on app_grants.viewer = ${viewer} and app_grants.app_id = ${id}
      and app_grants.registration = ${registration} and app_grants.permission = declared.permission
    where coalesce(app_grants.granted, ${Number(trusted)}) = 1)`;
}

/** What members allowed the apps that are registered now, and no others (security rule 29). */
const allowed = sql`
  from app_grants join app_registrations on app_id = id and app_grants.registration = app_registrations.registration
  where granted = 1`;

/** A select of all that was allowed: member_id, app_id, granted, changed_at_ms. */
export const allAllowed: Statement = sql`
  select viewer as member_id, app_id, string_agg(permission, ' ' order by permission) as granted,
    max(decided_at_ms) as changed_at_ms
  ${allowed} group by viewer, app_id`;

/** Members who allowed an app something or have it at another Gantry, as rows of `app_id` and `member_id`. */
export const membersWhoAllowed: Statement = sql`
  select app_id, viewer as member_id ${allowed}
  union select app_id, viewer from having_report where permissions is not null`;

/** An app that may do something for a member. */
export interface GrantedApp {
  readonly id: string;
  readonly title: string;
  readonly granted: readonly PermissionName[];
  /** When the member last decided. Absent for an app that the site trusts and nobody decided about. */
  readonly decidedAtMs?: number;
}

/** What a member lets apps do: what was asked for and allowed, and what the site's trust allows. */
export async function listGrants(db: Database, viewer: string): Promise<readonly GrantedApp[]> {
  const rows = await db.query<DecidedRow>(sql`
    select ${appRow}, permission, granted, decided_at_ms from app_registrations
    left join app_grants on ${grantsOf(viewer)} order by length(id), id`);
  return [...Map.groupBy(rows, ({ id }) => id).values()].flatMap((group) => {
    const { app, granted } = accessOf(describe(group[0] as DecidedRow), group, true);
    if (granted.length === 0) return [];
    const decidedAtMs = Math.max(...group.map((row) => row.decided_at_ms ?? 0));
    return [{ id: app.id, title: app.manifest.name, granted, ...(decidedAtMs > 0 && { decidedAtMs }) }];
  });
}

/** Takes back all that a member let an app do; it has to ask again. Resolves with false where there was nothing. */
export async function revokeGrants(
  decisions: Decisions,
  { viewer, app, removesData = false }: Omit<Decision, 'grant' | 'revoke'>,
): Promise<boolean> {
  const access = (await findAccess(decisions.db, { viewer, apps: [app] })).get(app);
  if (access === undefined || access.granted.length === 0) return false;
  await decide(decisions, { viewer, app, removesData, revoke: access.granted });
  return true;
}
