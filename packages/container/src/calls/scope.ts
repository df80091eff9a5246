import type { Instance, PermissionName, ResolvedRequest } from '@gantry/wire';

/** Owner of results. Two scopes never share one (security rule 14). */
export interface Scope {
  readonly upstream: string;
  readonly app: string;
  /** `null` without a signed-in member. */
  readonly viewer: string | null;
  readonly owner: string | null;
  /** Time of the last revocation: earlier results are not this scope's. */
  readonly since: number;
}

/** Calls and permissions that an app has now. */
export interface Rights {
  readonly uses: readonly string[];
  readonly permissions: readonly PermissionName[];
}

/** Call and permissions that a request needs. */
export interface Needs {
  readonly call: string;
  readonly permissions: readonly PermissionName[];
}

/** True if cached results may answer a request; otherwise the proxy decides. */
export function isAllowed(rights: Rights, { call, permissions }: Needs): boolean {
  return rights.uses.includes(call) && permissions.every((name) => rights.permissions.includes(name));
}

/** A request with the scope that decides what may answer it. */
export interface Asked {
  readonly scope: Scope;
  readonly request: ResolvedRequest;
}

export function scopeOf({ upstream, context, revokedAtMs }: Instance): Scope {
  const { app, viewer = null, owner = null } = context;
  return { upstream, app: app.id, viewer, owner, since: revokedAtMs };
}

/** Text that is equal for writes that keep their order: those of one member through one app. */
export function orderingKeyOf({ upstream, viewer, app }: Scope): string {
  return JSON.stringify([upstream, viewer, app]);
}

/** Text that is equal for the scopes of one gadget, also before and after a revocation. */
export function gadgetKeyOf({ upstream, viewer, app, owner }: Scope): string {
  return JSON.stringify([upstream, viewer, app, owner]);
}
