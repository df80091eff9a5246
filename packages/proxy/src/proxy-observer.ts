import type { WireError } from '@gantry/wire';
import type { CacheOutcome } from './answer-cache.ts';
import type { BreakerState } from './breaker.ts';
import type { Limit } from './call-limits.ts';
import type { Asking } from './call-path.ts';
import type { Attempt } from './upstream.ts';

/** Listens to the work of a proxy, for metrics and tools. Its functions must not throw. */
export interface ProxyObserver {
  attempt(attempt: Attempt): void;
  cache(outcome: CacheOutcome, asking: Asking): void;
  limited(limit: Limit, who: Limited): void;
  /** Receives the function that returns the state of the breaker, once. */
  breaker(state: () => BreakerState): void;
  /** Receives each call that an app gets an error for, and each request that is refused as a whole. */
  refused?(refusal: Refusal): void;
}

/** An app, and the member for whom it asked, where the limit is counted for both. */
export interface Limited {
  readonly app: string;
  readonly viewer?: string;
}

/** An error as the app or the page gets it. */
export interface Refusal {
  readonly error: WireError;
  /** Absent where the token names none, or for a whole request. */
  readonly app?: string;
  readonly viewer?: string | undefined;
  /** The operation that was called; absent for a whole request. */
  readonly operation?: string;
  /** Path of a request that was refused as a whole. */
  readonly path?: string;
}
