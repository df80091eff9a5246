import { type Database, type Statement, sql } from '@gantry/store';
import type { Consent, PermissionName } from '@gantry/wire';
import { type AppVersion, asVersion, type MemberPreview } from '../apps/app-version.ts';
import {
  type AppRow,
  appColumns,
  appPaused,
  appReplaced,
  type RegisteredApp,
  toRegisteredApp,
} from '../apps/registrations.ts';
import { type Declared, declaredBy } from './declared.ts';

/** An app, and its permissions from one member. */
export interface Access extends Consent {
  /** As its version declares it. */
  readonly app: RegisteredApp;
  readonly declared: Declared;
  readonly granted: readonly PermissionName[];
  /** Time of the last revocation; 0 if there was none. */
  readonly revokedAtMs: number;
  /** The site has paused the app: it is not shown, and its calls fail. */
  readonly isPaused: boolean;
}

export interface AccessQuery {
  readonly viewer: string | undefined;
  readonly apps: readonly string[];
  /** Condition over `app_registrations` for a paused app. Default: its own column. */
  readonly paused?: Statement | undefined;
}

/** A member's decision about one permission, joined to the app's row. */
export interface GrantColumns {
  /** Null if the member has decided nothing about the app. */
  readonly permission: string | null;
  readonly granted: number | null;
  readonly decided_at_ms: number | null;
  readonly is_paused?: number;
}

export type GrantRow = AppRow & GrantColumns;

export interface DescribedApp {
  readonly app: RegisteredApp;
  readonly declared: Declared;
}

/** Permissions from one member of an app and of each of its versions. */
export interface AppAccess {
  readonly live: Access;
  /** The version that the member was offered before it is live. */
  readonly preview: MemberPreview | undefined;
  of(version: AppVersion): Access;
}

interface OfferColumns {
  readonly offered_version: string | null;
  readonly offer_accepted: number | null;
}

/** Finds the registered apps of a query with their permissions and previews, by id. */
export async function findAccess(db: Database, query: AccessQuery): Promise<ReadonlyMap<string, AppAccess>> {
  const columns = sql`${appColumns}, offered_version, offer_accepted`;
  const byApp = await findGrantRows<GrantRow & OfferColumns>(db, { columns, join: offersTo(query.viewer) }, query);
  const isSignedIn = query.viewer !== undefined;
  return new Map(
    [...byApp].map(([id, rows]) => {
      const described = describeApp(rows[0]);
      const live = accessOf(described, rows, isSignedIn);
      const of = (version: AppVersion) =>
        accessOf(describeVersion(described, version), rows, isSignedIn, tookBackAtMs(described, live));
      return [id, { live, preview: previewOf(rows[0]), of }];
    }),
  );
}

/** Finds the rows of a query, grouped by app: one for each decision, or one without. */
export async function findGrantRows<Row extends GrantColumns & { readonly id: string }>(
  db: Database,
  { columns, join = sql.empty }: { readonly columns: Statement; readonly join?: Statement },
  { viewer, apps, paused = sql`paused = 1` }: AccessQuery,
): Promise<ReadonlyMap<string, readonly [Row, ...Row[]]>> {
  if (apps.length === 0) return new Map();
  const rows = await db.query<Row>(
    sql.repeated(sql`
      select ${columns}, permission, granted, decided_at_ms, case when ${paused} then 1 else 0 end as is_paused
      from app_registrations left join app_grants on ${grantsOf(viewer ?? null)} ${join}
      where id in (${sql.list(apps)})`),
  );
  return Map.groupBy(rows, ({ id }) => id) as Map<string, [Row, ...Row[]]>;
}

/** Joins a member's previews of the present registrations, at most one row for each app. */
function offersTo(viewer: string | undefined): Statement {
  return sql`left join (
    select app_id as offered_app, registration as offered_for, version as offered_version, accepted as offer_accepted
    from app_previews where member_id = ${viewer ?? null}
  ) as offer on offered_app = id and offered_for = app_registrations.registration`;
}

function previewOf({ id: app, offered_version: version, offer_accepted: accepted }: AppRow & OfferColumns) {
  if (version === null) return undefined;
  return { app, version, ...(accepted !== null && { accepted: accepted === 1 }) };
}

/** Joins a member's decisions about the present registration only (security rule 29). */
export function grantsOf(viewer: string | null): Statement {
  return sql`app_id = id and viewer = ${viewer} and app_grants.registration = app_registrations.registration`;
}

export function describeApp(row: AppRow): DescribedApp {
  const app = toRegisteredApp(row);
  return { app, declared: declaredBy(app) };
}

/**
 * Describes an app as one of its versions is. One that nobody accepted declares no more than the
 * live version.
 */
export function describeVersion(live: DescribedApp, version: AppVersion): DescribedApp {
  const app = asVersion(live.app, version);
  const declared = declaredBy(app);
  if (!version.isLimited) return { app, declared };
  const known = new Set([...live.declared.required, ...live.declared.optional]);
  const within = (names: readonly PermissionName[]) => names.filter((name) => known.has(name));
  return { app, declared: { required: within(declared.required), optional: within(declared.optional) } };
}

/**
 * Returns the time at which a member took back all that the live version has, 0 if they did not.
 * Other versions lost then all that they had before.
 */
export function tookBackAtMs({ declared }: DescribedApp, { granted, revokedAtMs }: Access): number {
  const isAsked = declared.required.length + declared.optional.length > 0;
  return isAsked && granted.length === 0 ? revokedAtMs : 0;
}

/** @param sinceMs Decisions and trust from before do not grant. Default: all count. */
export function accessOf(
  { app, declared }: DescribedApp,
  decisions: readonly GrantColumns[],
  isSignedIn: boolean,
  sinceMs = 0,
): Access {
  const isPaused = decisions.some(({ is_paused }) => is_paused === 1);
  if (!isSignedIn) return { app, declared, granted: [], needed: [], optional: [], revokedAtMs: 0, isPaused };
  const decided = new Map(
    decisions.map(({ permission, granted, decided_at_ms: atMs }) => [
      permission,
      granted === 1 && (atMs ?? 0) > sinceMs,
    ]),
  );
  const isGranted = (name: PermissionName) => decided.get(name) ?? (app.trusted && sinceMs === 0);
  return {
    app,
    declared,
    granted: [...declared.required, ...declared.optional].filter(isGranted), // never more than is declared now
    needed: declared.required.filter((name) => !isGranted(name)),
    optional: declared.optional,
    revokedAtMs: Math.max(0, ...decisions.map((one) => (one.granted === 0 ? (one.decided_at_ms ?? 0) : 0))),
    isPaused,
  };
}

/**
 * Requires that the token's registration is the present one and is not paused.
 *
 * @throws SocialError APP_REPLACED or APP_PAUSED.
 */
export function requireActive({ app, isPaused }: Access, { registration }: { readonly registration: string }): void {
  if (app.registration !== registration) throw appReplaced();
  if (isPaused) throw appPaused();
}
