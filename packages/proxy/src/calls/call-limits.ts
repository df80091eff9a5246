import { SocialError } from '@gantry/wire';
import { createGate, createRateLimit, type Gate } from '@gantry/wire/runtime';
import type { SignedIn } from '../call-path.ts';
import type { Ports } from '../ports.ts';

/**
 * Limits the calls per minute of each pair of member and app. A quiet pair may spend a minute's
 * calls at once.
 *
 * @param options.perMinute 0 for no limit.
 * @returns A function that counts one call, or throws SocialError RATE_LIMITED.
 */
export function createCallLimit(
  options: Pick<Ports, 'now' | 'observe'> & { readonly perMinute: number },
): (asker: SignedIn) => void {
  const { now, perMinute, observe } = options;
  const rate = { perMinute, burst: perMinute };
  const { take } = createRateLimit(now);
  return ({ app, viewer }) => {
    const retryAfter = take(`${app} ${viewer}`, rate); // ids have no spaces
    if (retryAfter === undefined) return;
    observe?.limited?.('rate', { app, viewer });
    throw tooMany(retryAfter);
  };
}

/**
 * Limits each app to `atOnce` concurrent requests, so that no app delays another's.
 *
 * @param options.waiting Calls of an app that may queue; further ones are refused.
 * @returns A function that runs work within its app's share.
 */
export function createShares(
  options: Pick<Ports, 'observe'> & { readonly atOnce: number; readonly waiting: number },
): <T>(app: string, work: () => Promise<T>) => Promise<T> {
  const { atOnce, waiting, observe } = options;
  const gates = new Map<string, Gate>();

  return (app, work) => {
    const full = () => {
      observe?.limited?.('concurrency', { app });
      return tooMany(1);
    };
    const gate = gates.get(app) ?? createGate({ atOnce, bound: { waiting, full }, idle: () => gates.delete(app) });
    gates.set(app, gate);
    return gate(work);
  };
}

function tooMany(retryAfter: number): SocialError {
  return new SocialError('RATE_LIMITED', `This app sends too many calls: retry in ${retryAfter} s.`, { retryAfter });
}
