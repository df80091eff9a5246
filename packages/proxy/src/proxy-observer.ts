import type { WireError } from '@gantry/wire';
import type { Limit, Limited } from './calls/call-limits.ts';
import type { CallContext } from './calls/call-path.ts';
import type { CacheOutcome } from './calls/reply-cache.ts';
import type { BreakerState } from './upstream/breaker.ts';
import type { UpstreamAttempt } from './upstream/upstream.ts';

/** Callbacks for metrics and tools. They must not throw. */
export interface ProxyObserver {
  attempt(attempt: UpstreamAttempt): void;
  cache(outcome: CacheOutcome, context: CallContext): void;
  limited(limit: Limit, caller: Limited): void;
  /** Receives the function that returns the state of the breaker, once. */
  breaker(state: () => BreakerState): void;
  /** Receives each failed call, and each request that is refused as a whole. */
  refused?(refusal: Refusal): void;
}

/** An error as the app or the page receives it. */
export interface Refusal {
  readonly error: WireError;
  /** Absent for an invalid token or a whole request. */
  readonly app?: string;
  readonly viewer?: string | undefined;
  /** Absent for a whole request. */
  readonly operation?: string;
  /** Path of a request that was refused as a whole. */
  readonly path?: string;
}
