/** A token bucket's measure. */
export interface Rate {
  /** Tokens that come back in a minute; for limits of many keys, 0 is no limit. */
  readonly perMinute: number;
  /** Tokens of a full bucket, which may be spent at once. */
  readonly burst: number;
}

/** Takes one token of a key, or `amount`, or returns the whole seconds until there are as many. */
export type TakeRate = (key: string, rate: Rate, amount?: number) => number | undefined | Promise<number | undefined>;

interface Bucket {
  readonly tokens: number;
  readonly atMs: number;
}

const keptKeys = 50_000;

/**
 * Makes one token bucket, which begins full.
 *
 * @param options.now Milliseconds from any start.
 * @returns A function that spends an amount, into debt if need be, and returns the tokens left:
 * below 0, it was too much.
 */
export function createTokenBucket(options: Rate & { readonly now: () => number }): (amount: number) => number {
  const { now, burst } = options;
  let bucket: Bucket = { tokens: burst, atMs: now() };
  return (amount) => {
    const nowMs = now();
    bucket = { tokens: tokensAt(bucket, options, nowMs) - amount, atMs: nowMs };
    return bucket.tokens;
  };
}

/**
 * Makes the token buckets of many keys. Memory is bounded: at least the 50,000 keys used last are
 * kept, at most twice as many, and a forgotten key begins full again.
 *
 * @param now Milliseconds from any start.
 */
export function createRateLimit(now: () => number) {
  let recent = new Map<string, Bucket>();
  let older = new Map<string, Bucket>(); // dropped as a whole, which needs no order of use

  function tokensOf(key: string, rate: Rate, nowMs: number): number {
    const bucket = recent.get(key) ?? older.get(key);
    return bucket ? tokensAt(bucket, rate, nowMs) : rate.burst;
  }

  return {
    /** Returns the result of `take` without taking. */
    wait(key: string, rate: Rate): number | undefined {
      return rate.perMinute === 0 ? undefined : secondsTo(1, tokensOf(key, rate, now()), rate);
    },
    /** Takes tokens of `key`, or returns the whole seconds until there are as many. */
    take(key: string, rate: Rate, amount = 1): number | undefined {
      if (rate.perMinute === 0) return undefined;
      const nowMs = now();
      const tokens = tokensOf(key, rate, nowMs);
      if (recent.size === keptKeys && !recent.has(key)) {
        older = recent;
        recent = new Map();
      }
      // A refused key too: it would begin full if forgotten.
      recent.set(key, { tokens: tokens >= amount ? tokens - amount : tokens, atMs: nowMs });
      return secondsTo(amount, tokens, rate);
    },
  };
}

function secondsTo(amount: number, tokens: number, { perMinute }: Rate): number | undefined {
  return tokens >= amount ? undefined : Math.ceil(((amount - tokens) * 60) / perMinute);
}

/** A clock that was set back gives no tokens. */
function tokensAt({ tokens, atMs }: Bucket, { perMinute, burst }: Rate, nowMs: number): number {
  return Math.min(burst, tokens + (Math.max(0, nowMs - atMs) * perMinute) / 60_000);
}
