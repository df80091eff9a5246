import type { ProxyObserver } from '@gantry/proxy';
import type { Record } from './record/create-record.ts';
import type { LabEvent } from './record/entry.ts';

/**
 * Adds the work of a lab's proxy and site to its record: requests upstream, cache decisions,
 * refusals and limits. The proxy passes no signatures, tokens or keys to its observer.
 */
export function observeProxy(options: {
  readonly record: Pick<Record, 'add'>;
  readonly lab: string;
  readonly now: () => number;
}): Partial<ProxyObserver> {
  const { record, lab, now } = options;
  const add = (event: LabEvent, app?: string): void =>
    void record.add({ ...event, lab, atMs: now(), ...(app !== undefined && { app }) });

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

/** Removes OAuth parameters of requests signed in the query: the record holds no secrets. */
function withoutOAuth(target: string): string {
  const [path, query] = target.split('?', 2) as [string, string?];
  const pairs = query?.split('&').filter((pair) => !/^oauth_/i.test(pair)) ?? [];
  return pairs.length > 0 ? `${path}?${pairs.join('&')}` : path;
}
