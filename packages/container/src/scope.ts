import type { Instance, ResolvedRequest } from '@gantry/wire';

/** Whose results they are. Two scopes never share one (security rule 14). */
export interface Scope {
  readonly upstream: string;
  readonly app: string;
  /** `null` while nobody is signed in. */
  readonly viewer: string | null;
  readonly owner: string | null;
}

/** A request with everything that decides what may answer it. */
export interface Asked {
  readonly scope: Scope;
  readonly request: ResolvedRequest;
}

export function scopeOf({ upstream, context }: Instance): Scope {
  return { upstream, app: context.app.id, viewer: context.viewer ?? null, owner: context.owner ?? null };
}
