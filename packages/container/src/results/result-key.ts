import { type ResolvedRequest, requestKey } from '@gantry/wire';
import type { Scope } from '../calls/scope.ts';

/** Text that is equal for two requests exactly when one result answers both. */
export function resultKey({ upstream, app, viewer, owner, since }: Scope, request: ResolvedRequest): string {
  return JSON.stringify([upstream, app, viewer, owner, since, requestKey(request)]);
}
