import { SocialError } from '@gantry/wire';
import { LRUCache } from 'lru-cache';
import type { SignedIn } from './call-path.ts';
import type { Limited } from './proxy-observer.ts';

const keptBuckets = 50_000;

/** Why a call was refused: its member and app made too many, or its app has too many under way. */
export type Limit = 'rate' | 'concurrency';

/**
 * Limits the calls that one member's use of one app makes, so that one that floods takes nothing from the others. A quiet
 * one may use up a minute's worth at once.
 *
 * @param options.perMinute 0 is no limit.
 * @returns A function that counts one call. It throws SocialError RATE_LIMITED.
 */
export function createRate(options: {
  readonly now: () => number;
  readonly perMinute: number;
  readonly limited?: ((limit: Limit, who: Limited) => void) | undefined;
}): (asker: SignedIn) => void {
  const { now, perMinute, limited } = options;
  let buckets: LRUCache<string, { left: number; atMs: number }> | undefined;

  function take(app: string, viewer: string): void {
    const key = `${app} ${viewer}`; // ids have no spaces
    buckets ??= new LRUCache({ max: keptBuckets }); // not before it is needed: it makes room for all of them at once
    const nowMs = now();
    const bucket = buckets.get(key) ?? { left: perMinute, atMs: nowMs };
    bucket.left = Math.min(perMinute, bucket.left + (Math.max(0, nowMs - bucket.atMs) * perMinute) / 60_000);
    bucket.atMs = nowMs;
    buckets.set(key, bucket);
    if (bucket.left < 1) {
      limited?.('rate', { app, viewer });
      throw tooMany(Math.ceil(((1 - bucket.left) * 60) / perMinute));
    }
    bucket.left--;
  }

  return ({ app, viewer }) => {
    if (perMinute > 0) take(app, viewer);
  };
}

/** Runs work of each app, some of it at once, and lets the rest wait in order. */
export type Share = <T>(app: string, work: () => Promise<T>) => Promise<T>;

/**
 * Gives every app a share of the site of its own: `atOnce` requests. Those of other apps do not wait behind its own.
 *
 * @param options.waiting What more may wait; beyond it calls are refused.
 */
export function createShares(options: {
  readonly atOnce: number;
  readonly waiting: number;
  readonly limited?: ((limit: Limit, who: Limited) => void) | undefined;
}): Share {
  const { atOnce, waiting, limited } = options;
  const apps = new Map<string, { running: number; readonly queue: (() => void)[] }>();

  return async (app, work) => {
    const share = apps.get(app) ?? { running: 0, queue: [] };
    apps.set(app, share);
    if (share.running < atOnce) share.running++;
    else if (share.queue.length < waiting) await new Promise<void>((resolve) => share.queue.push(resolve));
    else {
      limited?.('concurrency', { app });
      throw tooMany(1);
    }
    try {
      return await work();
    } finally {
      const next = share.queue.shift();
      if (next)
        next(); // the place goes over as it is
      else if (--share.running === 0) apps.delete(app);
    }
  };
}

function tooMany(retryAfter: number): SocialError {
  return new SocialError('RATE_LIMITED', `This app asks for too much: go on in ${retryAfter} s, and more slowly.`, {
    retryAfter,
  });
}
