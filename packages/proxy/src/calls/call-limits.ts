import { createGate, createRateLimit, type Gate, SocialError } from '@gantry/wire';
import type { SignedIn } from './call-path.ts';

/** The limit of a refused call: calls per minute of member and app, or running calls of the app. */
export type Limit = 'rate' | 'concurrency';

/** The app that exceeded a limit, and the member if the limit counts both. */
export interface Limited {
  readonly app: string;
  readonly viewer?: string;
}

/**
 * Limits the calls per minute of each pair of member and app. A quiet pair may spend a minute's
 * calls at once.
 *
 * @param options.perMinute 0 for no limit.
 * @returns A function that counts one call, or throws SocialError RATE_LIMITED.
 */
export function createCallLimit(options: {
  readonly now: () => number;
  readonly perMinute: number;
  readonly limited?: ((limit: Limit, who: Limited) => void) | undefined;
}): (asker: SignedIn) => void {
  const { now, perMinute, limited } = options;
  const rate = { perMinute, burst: perMinute };
  const { take } = createRateLimit(now);
  return ({ app, viewer }) => {
    const retryAfter = take(`${app} ${viewer}`, rate); // ids have no spaces
    if (retryAfter === undefined) return;
    limited?.('rate', { app, viewer });
    throw tooMany(retryAfter);
  };
}

/** Runs work within its app's share and queues the rest. */
export type Share = <T>(app: string, work: () => Promise<T>) => Promise<T>;

/**
 * Limits each app to `atOnce` concurrent requests, so that no app delays another's.
 *
 * @param options.waiting Calls of an app that may queue; further ones are refused.
 */
export function createShares(options: {
  readonly atOnce: number;
  readonly waiting: number;
  readonly limited?: ((limit: Limit, who: Limited) => void) | undefined;
}): Share {
  const { atOnce, waiting, limited } = options;
  const gates = new Map<string, Gate>();

  function gateOf(app: string): Gate {
    const full = () => {
      limited?.('concurrency', { app });
      return tooMany(1);
    };
    return createGate({ atOnce, bound: { waiting, full }, idle: () => gates.delete(app) });
  }

  return (app, work) => {
    const gate = gates.get(app) ?? gateOf(app);
    gates.set(app, gate);
    return gate(work);
  };
}

function tooMany(retryAfter: number): SocialError {
  return new SocialError('RATE_LIMITED', `This app sends too many calls: retry in ${retryAfter} s.`, {
    retryAfter,
  });
}
