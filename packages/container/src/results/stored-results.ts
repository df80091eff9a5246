import { operation, operations, type ResolvedRequest, requestKey } from '@gantry/wire';
import type { Scope } from '../calls/scope.ts';
import { offlineKeptMs, type StoredResult, shape } from './result-cache.ts';

/** Text that is equal for two requests exactly when one result answers both. */
export function resultKey({ upstream, app, viewer, owner, since }: Scope, request: ResolvedRequest): string {
  return JSON.stringify([upstream, app, viewer, owner, since, requestKey(request)]);
}

/** True for a stored entry of this version's shape that is young enough to be shown. */
export function isUsable([key, stored]: readonly [string, unknown], nowMs: number): boolean {
  try {
    const { scope, request, value, storedAtMs, version } = stored as StoredResult;
    if (version !== shape) return false;
    const isCached = Object.hasOwn(operations, request.operation) && operation(request.operation).cache !== undefined;
    // Forgetting goes by scope and request, and reading by key, so they must tell the same.
    const isYoung = isCached && nowMs - storedAtMs < offlineKeptMs;
    return value !== undefined && isYoung && resultKey(scope, request) === key;
  } catch {
    return false;
  }
}
