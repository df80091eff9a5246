import { createHash } from 'node:crypto';
import { type Database, type Statement, sql } from '@gantry/store';
import {
  type Consent,
  operation,
  type PermissionName,
  permissionsFor,
  type ResolvedRequest,
  type WireError,
} from '@gantry/wire';
import { LRUCache } from 'lru-cache';
import type { Stage } from './call-path.ts';
import { type Manifest, permissionsOf } from './manifest.ts';
import {
  type AppRow,
  appOf,
  appPaused,
  appReplaced,
  appRow,
  type Consumer,
  consumerOf,
  findSealed,
  type RegisteredApp,
  type SealedRow,
} from './registrations.ts';

/** What an app declares, by what it means for a member. */
export interface Declared {
  /** Without all of these the app does not start. */
  readonly required: readonly PermissionName[];
  /** What it may ask for later. */
  readonly optional: readonly PermissionName[];
}

/** An app, and what one member lets it do. */
export interface Access extends Consent {
  readonly app: RegisteredApp;
  readonly granted: readonly PermissionName[];
  /** When something was last taken back; 0 if never. */
  readonly revokedAtMs: number;
  /** The site has paused the app: it is neither shown nor answered. */
  readonly isPaused: boolean;
}

/** What a manifest of an app that we serve declares. */
export function appDeclares(manifest: Manifest): Declared {
  return declaredBy({ manifest, source: { kind: 'served', folder: '' } });
}

/** What a manifest declares. A place that it can talk to is asked for too: what the app learns can leave through it. */
export function declaredBy({ manifest, source }: Pick<RegisteredApp, 'manifest' | 'source'>): Declared {
  const places: readonly PermissionName[] =
    source.kind === 'remote'
      ? [`server:${new URL(source.url).origin}`]
      : manifest.hosts.map((host): PermissionName => `host:${host}`);
  const storage: readonly PermissionName[] = manifest.storage ? ['storage'] : [];
  const required = [...new Set([...permissionsOf(manifest), ...storage, ...places])];
  return { required, optional: permissionsOf(manifest.optional).filter((name) => !required.includes(name)) };
}

/** Names the version of what was declared that a decision is about. */
export function digestOf(declared: Declared): string {
  const all = [declared.required.toSorted(), declared.optional.toSorted()];
  return createHash('sha256').update(JSON.stringify(all)).digest('base64url').slice(0, 22);
}

/** The registered ones of `apps`, each with what `viewer` lets it do. */
export async function findAccess(db: Database, asked: AskedAccess): Promise<ReadonlyMap<string, Access>> {
  const byApp = await findDecided<DecidedRow>(db, appRow, asked);
  return new Map([...byApp].map(([id, rows]) => [id, accessOf(describe(rows[0]), rows, asked.viewer !== undefined)]));
}

/** Who asks what the registered ones of `apps` may do. */
export interface AskedAccess {
  readonly viewer: string | undefined;
  readonly apps: readonly string[];
  /** Condition over `app_registrations` that is true for a paused app. Default: its own column. */
  readonly paused?: Statement | undefined;
}

/** An app that calls: what it may do, and what signs for it. */
export interface Caller {
  readonly access: Access;
  readonly consumer: Consumer;
}

/**
 * Makes the function that finds the callers of a request, in one statement, since it stands before every call. The database is
 * asked every time, so that a removed app, or what a member takes back, stops at once everywhere; only what a registration says
 * is remembered.
 */
export function createCallers(
  db: Database,
  secretKey: Uint8Array,
  paused?: Statement,
): (asked: Omit<AskedAccess, 'paused'>) => Promise<ReadonlyMap<string, Caller>> {
  const known = new LRUCache<string, Registered>({ max: 2_000 });

  async function read(ids: readonly string[]): Promise<readonly Registered[]> {
    const rows = await findSealed(db, ids);
    return rows.map((row) => {
      const registered = { ...describe(row), consumer: consumerOf(secretKey, row), sealed: row.consumer_secret };
      known.set(row.id, registered);
      return registered;
    });
  }

  return async (asked) => {
    const byApp = await findDecided<SealedDecision>(db, sql`id, consumer_secret`, { ...asked, paused });
    const registered = new Map<string, Registered>();
    for (const [id, [{ consumer_secret: sealed }]] of byApp) {
      const before = known.get(id);
      if (before?.sealed === sealed) registered.set(id, before);
    }
    const others = [...byApp.keys()].filter((id) => !registered.has(id));
    if (others.length > 0) for (const one of await read(others)) registered.set(one.app.id, one);
    return new Map(
      [...registered].map(([id, { consumer, ...described }]) => {
        return [id, { access: accessOf(described, byApp.get(id) ?? [], asked.viewer !== undefined), consumer }];
      }),
    );
  };
}

async function findDecided<Row extends Decision & { readonly id: string }>(
  db: Database,
  columns: Statement,
  { viewer, apps, paused = sql`paused = 1` }: AskedAccess,
): Promise<ReadonlyMap<string, readonly [Row, ...Row[]]>> {
  if (apps.length === 0) return new Map();
  const rows = await db.query<Row>(sql`
    select ${columns}, permission, granted, decided_at_ms, case when ${paused} then 1 else 0 end as is_paused
    from app_registrations left join app_grants on ${grantsOf(viewer ?? null)}
    where id in (${sql.list(apps)})`);
  return Map.groupBy(rows, ({ id }) => id) as Map<string, [Row, ...Row[]]>;
}

/** Joins what a member decided about what is registered now, and about nothing else (security rule 29). */
export function grantsOf(viewer: string | null): Statement {
  return sql`app_id = id and viewer = ${viewer} and app_grants.registration = app_registrations.registration`;
}

export interface Decision {
  /** Null where the member decided nothing about this app. */
  readonly permission: string | null;
  readonly granted: number | null;
  readonly decided_at_ms: number | null;
  /** Absent where it was not asked for. */
  readonly is_paused?: number;
}

export type DecidedRow = AppRow & Decision;

/** The sealed secret stands for the registration, which has one of its own each time. */
type SealedDecision = Pick<SealedRow, 'id' | 'consumer_secret'> & Decision;

/** What a registration says. */
interface Described {
  readonly app: RegisteredApp;
  readonly declared: Declared;
}

interface Registered extends Described {
  readonly consumer: Consumer;
  readonly sealed: string;
}

export function describe(row: AppRow): Described {
  const app = appOf(row);
  return { app, declared: declaredBy(app) };
}

/** @param decisions All of one member about the app. */
export function accessOf({ app, declared }: Described, decisions: readonly Decision[], isSignedIn: boolean): Access {
  const isPaused = decisions.some(({ is_paused }) => is_paused === 1);
  if (!isSignedIn) return { app, granted: [], needed: [], optional: [], revokedAtMs: 0, isPaused }; // every call is a 401
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
 * Lets a gadget speak only for what is registered now, and only while that is not paused.
 *
 * @throws SocialError APP_REPLACED or APP_PAUSED.
 */
export function requireRunning({ app, isPaused }: Access, { registration }: { readonly registration: string }): void {
  if (app.registration !== registration) throw appReplaced();
  if (isPaused) throw appPaused();
}

/** Refuses what was not granted, before anything else happens. What a page says about grants counts for nothing. */
export const permit: Stage = (next) => async (asking) => {
  const refused = refusal(asking.request, asking.access);
  return refused === undefined ? next(asking) : { error: refused };
};

function refusal(request: ResolvedRequest, { app, granted, needed }: Access): WireError | undefined {
  const { manifest } = app;
  const name = operation(request.operation).osapi;
  if (!manifest.uses.includes(name) && !manifest.optional.uses.includes(name)) {
    return notGranted(`${name} is not granted: gadget.json does not list it in uses.`, [operationPermission(request)]);
  }
  // A member who has not accepted where the app can send things to has not accepted that it learns anything.
  const places = needed.filter((missing) => /^(host|server):/.test(missing));
  if (places.length > 0) return notGranted('The member has not allowed this app.', places);
  const missing = permissionsFor(request).filter((needs) => !granted.includes(needs));
  return missing.length === 0 ? undefined : notGranted(`The member has not allowed ${missing.join(', ')}.`, missing);
}

function operationPermission(request: ResolvedRequest): PermissionName {
  return operation(request.operation).permission;
}

function notGranted(message: string, missing: readonly PermissionName[]): WireError {
  return { code: 403, message, data: { reason: 'NOT_GRANTED', missing } };
}
