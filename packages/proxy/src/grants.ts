import { type ChangeLog, type Database, sql } from '@gantry/store';
import type { PermissionName } from '@gantry/wire';
import { type Access, accessOf, type DecidedRow, declaredBy, describe, digestOf, findAccess } from './access.ts';
import { grantsChanged } from './changes.ts';
import { appRow } from './registrations.ts';

/**
 * Keeps what a member decided about an app. Names that the app does not declare are left out: nobody was asked about
 * those.
 *
 * @param decision.log Where open pages of the member hear of it.
 * @returns How things stand then; `undefined` where there is no such app.
 */
export async function decide(
  db: Database,
  decision: {
    readonly viewer: string;
    readonly app: string;
    readonly grant?: readonly string[];
    readonly revoke?: readonly string[];
    readonly nowMs: number;
    readonly log: ChangeLog;
  },
): Promise<Access | undefined> {
  const { viewer, app, grant = [], revoke = [], nowMs, log } = decision;
  const find = async () => (await findAccess(db, { viewer, apps: [app] })).get(app);
  const access = await find();
  if (access === undefined) return undefined;
  const declared = declaredBy(access.app);
  const digest = digestOf(declared);
  const rows = [...declared.required, ...declared.optional]
    .filter((name) => grant.includes(name) || revoke.includes(name))
    .map((name) => [viewer, app, name, revoke.includes(name) ? 0 : 1, digest, nowMs] as const);
  if (rows.length === 0) return access;
  const decided = sql`
    insert into app_grants (viewer, app_id, permission, granted, manifest_digest, decided_at_ms) values ${sql.rows(rows)}
    on conflict (viewer, app_id, permission) do update set granted = excluded.granted,
      manifest_digest = excluded.manifest_digest, decided_at_ms = excluded.decided_at_ms`;
  await db.batch([decided, grantsChanged(log, { viewer, app })]);
  return find();
}

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
    left join app_grants on app_id = id and viewer = ${viewer} order by length(id), id`);
  return [...Map.groupBy(rows, ({ id }) => id).values()].flatMap((group) => {
    const { app, granted } = accessOf(describe(group[0] as DecidedRow), group, true);
    if (granted.length === 0) return [];
    const decidedAtMs = Math.max(...group.map((row) => row.decided_at_ms ?? 0));
    return [{ id: app.id, title: app.manifest.name, granted, ...(decidedAtMs > 0 && { decidedAtMs }) }];
  });
}

/** Takes back all that a member let an app do; it has to ask again. Answers false where there was nothing. */
export async function revokeGrants(
  db: Database,
  decision: { readonly viewer: string; readonly app: string; readonly nowMs: number; readonly log: ChangeLog },
): Promise<boolean> {
  const { viewer, app } = decision;
  const access = (await findAccess(db, { viewer, apps: [app] })).get(app);
  if (access === undefined || access.granted.length === 0) return false;
  await decide(db, { ...decision, revoke: access.granted });
  return true;
}
