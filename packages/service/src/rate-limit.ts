import { SocialError } from '@gantry/wire';
import { LRUCache } from 'lru-cache';

export interface Rate {
  /** Requests a minute that go on for ever; 0 is no limit. */
  readonly perMinute: number;
  /** Requests that may come at once after a quiet time. */
  readonly burst: number;
}

export interface RateLimit {
  /** Takes one request from what is left for `key`, or says in whole seconds when there will be one again. */
  take(key: string, rate: Rate): number | undefined;
  /** What `take` would say, without taking. */
  wait(key: string, rate: Rate): number | undefined;
}

interface Bucket {
  tokens: number;
  atMs: number;
}

const keptBuckets = 50_000;

/**
 * A token bucket for each key, in this process. A key that is forgotten for newer ones begins full again, so that strangers
 * who make keys up cost no memory.
 */
export function createRateLimit(now: () => number): RateLimit {
  let buckets: LRUCache<string, Bucket> | undefined; // made by the first key that is limited: it takes room for all at once

  function left(key: string, { perMinute, burst }: Rate): number {
    const bucket = buckets?.get(key);
    if (!bucket) return burst;
    return Math.min(burst, bucket.tokens + (Math.max(0, now() - bucket.atMs) * perMinute) / 60_000);
  }

  function wait(key: string, rate: Rate): number | undefined {
    const tokens = rate.perMinute === 0 ? 1 : left(key, rate);
    return tokens >= 1 ? undefined : Math.ceil(((1 - tokens) * 60) / rate.perMinute);
  }

  return {
    wait,
    take(key, rate) {
      if (rate.perMinute === 0) return undefined;
      const seconds = wait(key, rate);
      if (seconds !== undefined) return seconds;
      buckets ??= new LRUCache({ max: keptBuckets });
      buckets.set(key, { tokens: left(key, rate) - 1, atMs: now() });
      return undefined;
    },
  };
}

export function rateLimited(retryAfter: number): SocialError {
  return new SocialError('RATE_LIMITED', `Too many requests: go on in ${retryAfter} s, and more slowly.`, {
    retryAfter,
    problem: 'rate_limited',
  });
}
