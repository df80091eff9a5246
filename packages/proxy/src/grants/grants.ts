import { hash } from 'node:crypto';
import { type ChangeLog, type Database, type Statement, StoreError, sql } from '@gantry/store';
import type { PermissionName } from '@gantry/wire';
import { type Access, accessOf, describeApp, findAccess, type GrantRow, grantsOf } from '../access/access.ts';
import { declarationDigest, declaredBy } from '../access/declared.ts';
import { appFacts } from '../apps/app-facts.ts';
import { type AppVersion, liveVersion } from '../apps/app-version.ts';
import { appColumns, appReplaced, type RegisteredApp } from '../apps/registrations.ts';
import { grantsTopic } from '../events/changes.ts';
import type { Installs } from '../installs/installs.ts';
import type { Ports } from '../ports.ts';

/** Stores for members' decisions about apps. */
export interface GrantStore extends Pick<Ports, 'db' | 'now' | 'log'> {
  /** Log that notifies the member's open pages. */
  readonly changes: ChangeLog;
  /** Absent before an upstream that keeps no installs. */
  readonly installs: Installs | undefined;
}

/** Permissions that a member grants to an app or revokes. */
export interface GrantDecision {
  readonly viewer: string;
  readonly app: string;
  readonly grant?: readonly string[];
  readonly revoke?: readonly string[];
  /** Delete the app's data of the member, if nothing is granted then. */
  readonly removesData?: boolean;
  /** The app that the member was asked about (security rule 29). Default: as it is now. */
  readonly asked?: { readonly registration: string; readonly version: AppVersion | undefined };
}

/**
 * Stores a member's decision about an app, and its effect on the install. Permissions that the
 * version does not declare are ignored.
 *
 * @returns The resulting access; `undefined` if there is no such app.
 * @throws SocialError APP_REPLACED if another app has the id now.
 */
export async function saveDecision(
  { db, changes, installs, now, log }: GrantStore,
  { viewer, app, grant = [], revoke = [], removesData = false, asked }: GrantDecision,
): Promise<Access | undefined> {
  const find = async () => (await findAccess(db, { viewer, apps: [app] })).get(app);
  const found = await find();
  if (found === undefined) return undefined;
  const { live } = found;
  const { registration } = live.app;
  if (asked !== undefined && asked.registration !== registration) throw appReplaced();
  const present = liveVersion(live.app);
  const version = asked?.version?.digest === present ? undefined : asked?.version;
  const access = version ? found.of(version) : live;
  const { declared } = access;
  const digest = declarationDigest(declared);
  const shown = version?.digest ?? present ?? null;
  const nowMs = now();
  const rows = [...declared.required, ...declared.optional]
    .filter((name) => grant.includes(name) || revoke.includes(name))
    .map((name) => [viewer, app, name, revoke.includes(name) ? 0 : 1, digest, nowMs, shown] as const);
  if (rows.length === 0) return access;
  const sameApp = sql`(select registration from app_registrations where id = ${app} and registration = ${registration})`;
  const statements = [
    // For another registration the column is null, which fails the transaction.
    sql`
      insert into app_grants (viewer, app_id, permission, granted, manifest_digest, decided_at_ms, version,
        registration)
      values ${sql.join(rows.map((row) => sql`(${sql.join([...row, sameApp])})`))}
      on conflict (viewer, app_id, permission) do update set granted = excluded.granted,
        manifest_digest = excluded.manifest_digest, decided_at_ms = excluded.decided_at_ms,
        version = excluded.version, registration = excluded.registration`,
    changes.add({ topic: grantsTopic, memberId: viewer, appId: app }),
  ];
  const gives = rows.some(([, , , isGranted]) => isGranted === 1);
  const granted = grantedExpression(viewer, live.app);
  const decision = { viewer, app, granted, gives, removesData, nowMs };
  try {
    await db.batch(installs?.withDecision(decision, statements) ?? statements);
  } catch (error) {
    const isOther = error instanceof StoreError && error.reason === 'constraint';
    if (isOther && (await find())?.live.app.registration !== registration) throw appReplaced();
    throw error;
  }
  const member = hash('sha256', viewer, 'hex').slice(0, 12); // logs hold no ids
  const [granting, revoking] = [1, 0].map((value) => rows.flatMap(([, , name, is]) => (is === value ? [name] : [])));
  if (granting?.length) log.info({ member, app, permissions: granting }, 'permissions granted');
  if (revoking?.length) log.info({ member, app, permissions: revoking, removesData }, 'permissions revoked');
  const after = await find();
  return version ? after?.of(version) : after?.live;
}

/** Returns the expression `InstallDecision.granted`. It never exceeds what is declared now. */
function grantedExpression(viewer: string, app: RegisteredApp): Statement {
  const { id, registration, trusted } = app;
  const { required, optional } = declaredBy(app);
  return sql`(
    with declared (permission) as (values ${sql.rows([...required, ...optional].map((name) => [name]))})
    select string_agg(declared.permission, ' ' order by declared.permission) from declared
    left join app_grants on app_grants.viewer = ${viewer} and app_grants.app_id = ${id}
      and app_grants.registration = ${registration} and app_grants.permission = declared.permission
    where coalesce(app_grants.granted, ${Number(trusted)}) = 1)`;
}

/** Grants of the present registrations (security rule 29). */
const allowed = sql`
  from app_grants join app_registrations on app_id = id and app_grants.registration = app_registrations.registration
  where granted = 1`;

/** Select of all grants: `member_id`, `app_id`, `granted`, `changed_at_ms`. */
export const allGrants: Statement = sql`
  select viewer as member_id, app_id, string_agg(permission, ' ' order by permission) as granted,
    max(decided_at_ms) as changed_at_ms
  ${allowed} group by viewer, app_id`;

/** Select of members with a grant, or with the app at another Gantry: `app_id`, `member_id`. */
export const membersWithGrants: Statement = sql`
  select app_id, viewer as member_id ${allowed}
  union select app_id, viewer from having_report where permissions is not null`;

/** An app with grants of a member. */
export interface GrantedApp {
  readonly id: string;
  readonly title: string;
  readonly granted: readonly PermissionName[];
  /** Time of the member's last decision. Absent if only the site's trust grants. */
  readonly decidedAtMs?: number;
}

/**
 * Lists the apps with a member's grants, those of the site's trust included.
 *
 * @param language That of the titles, as BCP 47 tag. Default: each app's own.
 */
export async function listGrants(db: Database, viewer: string, language = ''): Promise<readonly GrantedApp[]> {
  const rows = await db.query<GrantRow>(sql`
    select ${appColumns}, permission, granted, decided_at_ms from app_registrations
    left join app_grants on ${grantsOf(viewer)} order by length(id), id`);
  return [...Map.groupBy(rows, ({ id }) => id).values()].flatMap((group) => {
    const { app, granted } = accessOf(describeApp(group[0] as GrantRow), group, true);
    if (granted.length === 0) return [];
    const decidedAtMs = Math.max(...group.map((row) => row.decided_at_ms ?? 0));
    return [
      { id: app.id, title: appFacts(app.manifest, language).name, granted, ...(decidedAtMs > 0 && { decidedAtMs }) },
    ];
  });
}

/**
 * Revokes all grants of a member to an app.
 *
 * @returns False if there were none.
 */
export async function revokeGrants(
  decisions: GrantStore,
  { viewer, app, removesData = false }: Omit<GrantDecision, 'grant' | 'revoke'>,
): Promise<boolean> {
  const access = (await findAccess(decisions.db, { viewer, apps: [app] })).get(app)?.live;
  if (access === undefined || access.granted.length === 0) return false;
  await saveDecision(decisions, { viewer, app, removesData, revoke: access.granted });
  return true;
}

/**
 * Returns the statements that delete the grants, writes and reports of ids, so that later members
 * with these ids start without them.
 *
 * @param ids Select or list of ids, for `in (…)`.
 */
export function forgetMembers(ids: Statement): readonly Statement[] {
  return [
    ...[sql`app_grants`, sql`write_log`, sql`having_report`].map(
      (table) => sql`delete from ${table} where viewer in (${ids})`,
    ),
    sql`delete from app_previews where member_id in (${ids})`,
  ];
}
