import type { ProxyObserver } from '@gantry/proxy';
import type { Happening, Record } from './record.ts';

/**
 * Writes what a lab's proxy and site do into its record: requests upstream, decisions of the cache, refusals and limits.
 * Signatures, tokens and keys are not among what the proxy tells its observer.
 */
export function observeProxy(options: {
  readonly record: Pick<Record, 'add'>;
  readonly lab: string;
  readonly now: () => number;
}): Partial<ProxyObserver> {
  const { record, lab, now } = options;
  const add = (happening: Happening, app?: string): void =>
    void record.add({ ...happening, lab, atMs: now(), ...(app !== undefined && { app }) });

  return {
    attempt({ outcome, seconds, operation, method, target, status = 0, app }) {
      const tookMs = Math.round(seconds * 1000);
      add({ kind: 'upstream', operation, method, target: withoutOAuth(target), status, tookMs, outcome }, app);
    },
    cache(outcome, { call, asker }) {
      add({ kind: 'cache', outcome, operation: call.operation }, asker.app);
    },
    limited(limit, { app, viewer }) {
      add({ kind: 'limit', limit, ...(viewer !== undefined && { viewer }) }, app);
    },
    refused({ error, operation, path, app, viewer }) {
      const at = { ...(operation && { operation }), ...(path && { path }), ...(viewer !== undefined && { viewer }) };
      add({ kind: 'refusal', error, ...at }, app);
    },
  };
}

/** Our proxy signs in a header. A query that signs is none of a record's business either. */
function withoutOAuth(target: string): string {
  const [path, query] = target.split('?', 2) as [string, string?];
  const kept = query?.split('&').filter((pair) => !/^oauth_/i.test(pair)) ?? [];
  return kept.length > 0 ? `${path}?${kept.join('&')}` : path;
}
