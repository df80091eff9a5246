import { type Database, type Statement, sql } from '@gantry/store';
import type { Consent, PermissionName } from '@gantry/wire';
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
  readonly app: RegisteredApp;
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

/** Finds the registered apps of a query with their permissions, by id. */
export async function findAccess(db: Database, query: AccessQuery): Promise<ReadonlyMap<string, Access>> {
  const byApp = await findGrantRows<GrantRow>(db, appColumns, query);
  const isSignedIn = query.viewer !== undefined;
  return new Map([...byApp].map(([id, rows]) => [id, accessOf(describeApp(rows[0]), rows, isSignedIn)]));
}

/** Finds the rows of a query, grouped by app: one for each decision, or one without. */
export async function findGrantRows<Row extends GrantColumns & { readonly id: string }>(
  db: Database,
  columns: Statement,
  { viewer, apps, paused = sql`paused = 1` }: AccessQuery,
): Promise<ReadonlyMap<string, readonly [Row, ...Row[]]>> {
  if (apps.length === 0) return new Map();
  const rows = await db.query<Row>(sql`
    select ${columns}, permission, granted, decided_at_ms, case when ${paused} then 1 else 0 end as is_paused
    from app_registrations left join app_grants on ${grantsOf(viewer ?? null)}
    where id in (${sql.list(apps)})`);
  return Map.groupBy(rows, ({ id }) => id) as Map<string, [Row, ...Row[]]>;
}

/** Joins a member's decisions about the present registration only (security rule 29). */
export function grantsOf(viewer: string | null): Statement {
  return sql`app_id = id and viewer = ${viewer} and app_grants.registration = app_registrations.registration`;
}

export function describeApp(row: AppRow): DescribedApp {
  const app = toRegisteredApp(row);
  return { app, declared: declaredBy(app) };
}

export function accessOf(
  { app, declared }: DescribedApp,
  decisions: readonly GrantColumns[],
  isSignedIn: boolean,
): Access {
  const isPaused = decisions.some(({ is_paused }) => is_paused === 1);
  if (!isSignedIn) return { app, granted: [], needed: [], optional: [], revokedAtMs: 0, isPaused };
  const decided = new Map(decisions.map(({ permission, granted }) => [permission, granted === 1]));
  const isGranted = (name: PermissionName) => decided.get(name) ?? app.trusted;
  return {
    app,
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
