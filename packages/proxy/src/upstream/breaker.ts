import { SocialError } from '@gantry/wire';
import type { BreakerState } from '../proxy-observer.ts';

/** Circuit breaker in front of an upstream (security rule 15). */
export type Breaker = ReturnType<typeof createBreaker>;

const windowMs = 10_000;
const leastFailures = 10;
const failingShare = 0.5;
const firstRestMs = 1_000;
const longestRestMs = 30_000;

/**
 * Makes a breaker. It opens when at least ten, and at least half, of the requests within ten
 * seconds fail. After a second, one request probes the upstream; each failed probe doubles the
 * wait, up to half a minute.
 */
export function createBreaker(now: () => number) {
  let sinceMs = Number.NEGATIVE_INFINITY;
  let attempts = 0;
  let failed = 0;
  let restMs = 0; // 0: closed
  let openUntilMs = 0;
  let isTrying = false;

  function begin(): void {
    sinceMs = now();
    attempts = 0;
    failed = 0;
  }

  function rest(ms: number): void {
    restMs = Math.min(ms, longestRestMs);
    openUntilMs = now() + restMs;
  }

  function count(isAnswered: boolean): void {
    if (restMs > 0) return; // sent before the breaker opened
    if (now() - sinceMs > windowMs) begin();
    attempts++;
    if (!isAnswered) failed++;
    if (failed >= leastFailures && failed >= attempts * failingShare) rest(firstRestMs);
  }

  function conclude(isAnswered: boolean): void {
    isTrying = false;
    if (isAnswered) {
      restMs = 0;
      begin();
    } else rest(restMs * 2);
  }

  return {
    get state(): BreakerState {
      return restMs === 0 ? 'closed' : isTrying || now() >= openUntilMs ? 'half-open' : 'open';
    },
    /**
     * Admits one request.
     *
     * @returns A function to call once, with its outcome.
     * @throws SocialError UNAVAILABLE, with `retryAfter`, while the breaker is open.
     */
    enter(): (isAnswered: boolean) => void {
      if (restMs === 0) return count;
      const leftMs = openUntilMs - now();
      if (isTrying || leftMs > 0) {
        const retryAfter = Math.max(1, Math.ceil(leftMs / 1000));
        throw new SocialError('UNAVAILABLE', 'The site is not responding at the moment.', { retryAfter });
      }
      isTrying = true;
      return conclude;
    },
  };
}
