import { SocialError } from '@gantry/wire';
import { LRUCache } from 'lru-cache';

export interface Rate {
  /** Requests a minute that go on for ever; 0 is no limit. */
  readonly perMinute: number;
  /** Requests that may come at once after a quiet time. */
  readonly burst: number;
}

/** Takes one request from what is left for `key`, or says in whole seconds when there will be one again. */
export type RateLimit = (key: string, rate: Rate) => number | undefined;

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
  const buckets = new LRUCache<string, Bucket>({ max: keptBuckets });

  return (key, { perMinute, burst }) => {
    if (perMinute === 0) return undefined;
    const nowMs = now();
    const bucket = buckets.get(key) ?? { tokens: burst, atMs: nowMs };
    const gained = (Math.max(0, nowMs - bucket.atMs) * perMinute) / 60_000;
    const tokens = Math.min(burst, bucket.tokens + gained);
    const isLeft = tokens >= 1;
    buckets.set(key, { tokens: isLeft ? tokens - 1 : tokens, atMs: nowMs });
    return isLeft ? undefined : Math.ceil(((1 - tokens) * 60) / perMinute);
  };
}

export function rateLimited(retryAfter: number): SocialError {
  return new SocialError('RATE_LIMITED', `Too many requests: go on in ${retryAfter} s, and more slowly.`, {
    retryAfter,
    problem: 'rate_limited',
  });
}
