import type { HttpMethod, OperationId, WireError } from '@gantry/wire';
import type { CallContext } from './call-path.ts';

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

export type BreakerState = 'closed' | 'open' | 'half-open';

/** Outcome of one signed request, without key and signature. */
export interface UpstreamAttempt {
  readonly outcome: 'answered' | 'unavailable' | 'unreachable' | 'late';
  readonly seconds: number;
  readonly app?: string | undefined;
  /** The member that it was signed for. */
  readonly requestor: string;
  readonly operation: OperationId;
  readonly method: HttpMethod;
  readonly target: string;
  /** HTTP status, if there was an answer. */
  readonly status?: number | undefined;
}

/** Source of a reply: the cache, the cache after validation, the upstream, or a shared request. */
export type CacheOutcome = 'kept' | 'confirmed' | 'asked' | 'joined';

/** The limit of a refused call: calls per minute of member and app, or running calls of the app. */
export type Limit = 'rate' | 'concurrency';

/** The app that exceeded a limit, and the member if the limit counts both. */
export interface Limited {
  readonly app: string;
  readonly viewer?: string;
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
