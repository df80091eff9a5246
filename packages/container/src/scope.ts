import type { Instance, ResolvedRequest } from '@gantry/wire';

/** Whose results they are. Two scopes never share one (security rule 14). */
export interface Scope {
  readonly upstream: string;
  readonly app: string;
  /** `null` while nobody is signed in. */
  readonly viewer: string | null;
  readonly owner: string | null;
  /** When the viewer last took something back from the app: results from before that are not this scope's. */
  readonly since: number;
}

/** A request with everything that decides what may answer it. */
export interface Asked {
  readonly scope: Scope;
  readonly request: ResolvedRequest;
}

export function scopeOf({ upstream, context, revokedAtMs }: Instance): Scope {
  const { app, viewer = null, owner = null } = context;
  return { upstream, app: app.id, viewer, owner, since: revokedAtMs };
}

/** Names whose writes keep their order: those of one member through one app. */
export function laneOf({ upstream, viewer, app }: Scope): string {
  return JSON.stringify([upstream, viewer, app]);
}
