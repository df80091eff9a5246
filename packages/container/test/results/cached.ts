import type { Reply, ResolvedRequest } from '@gantry/wire';
import { isUsable } from '../../src/results/stored-results.ts';
import type { Setting } from '../setting.ts';

/** Answers every call with the number of calls so far. */
export function counting({ network }: Setting): void {
  let count = 0;
  network.site = () => {
    count += 1;
    return { ok: count };
  };
}

/** Makes the reply of a fresh result. */
export function cached(value: unknown, ageMs: number): Reply {
  return { ok: value, meta: { ageMs, source: 'cache' } };
}

/** Makes the reply of a result that is asked again. */
export function stale(value: unknown, ageMs: number): Reply {
  return { ok: value, meta: { ageMs, source: 'cache', stale: true } };
}

/** A read of one member. */
export function ownRequest(text: string): ResolvedRequest {
  return { operation: 'people.getSelf', method: 'GET', segments: ['people', text, '@self'], query: [] };
}

/** The check of stored results, which a page fetches. */
export const fetchCheck = async () => isUsable;
