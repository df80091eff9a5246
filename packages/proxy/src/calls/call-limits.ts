import { SocialError } from '@gantry/wire';
import { createGate, createRateLimit, type Gate, type TakeRate } from '@gantry/wire/runtime';
import type { SignedIn } from '../call-path.ts';
import type { Ports } from '../ports.ts';

/** Part of a rate that each process counts alone: a twentieth. */
const ownPart = 20;

/**
 * Makes shared rates ask less: each process passes a twentieth of a rate by itself, and only what
 * is more counts together. So ordinary use of an app costs no statement.
 */
export function ownFirst(takeRate: TakeRate, now: () => number): TakeRate {
  const { take } = createRateLimit(now);
  return (key, { perMinute, burst }) => {
    const part = Math.floor(perMinute / ownPart);
    if (part > 0 && take(key, { perMinute: part, burst: part }) === undefined) return undefined;
    return takeRate(key, { perMinute: perMinute - part, burst: burst - part });
  };
}

/**
 * Limits the calls per minute of each pair of member and app. A quiet pair may spend a minute's
 * calls at once.
 *
 * @param options.perMinute 0 for no limit.
 * @returns A function that counts one call, at once unless the database is asked. It throws or
 * rejects with SocialError RATE_LIMITED.
 */
export function createCallLimit(
  options: Pick<Ports, 'observe'> & { readonly takeRate: TakeRate; readonly perMinute: number },
): (asker: SignedIn) => Promise<void> | undefined {
  const { takeRate, perMinute, observe } = options;
  const rate = { perMinute, burst: perMinute };

  function refuse({ app, viewer }: SignedIn, retryAfter: number | undefined): undefined {
    if (retryAfter === undefined) return undefined;
    observe?.limited?.('rate', { app, viewer });
    throw tooMany(retryAfter);
  }

  return (asker) => {
    const taken = takeRate(`calls ${asker.app} ${asker.viewer}`, rate); // ids have no spaces
    return taken instanceof Promise ? taken.then((retryAfter) => refuse(asker, retryAfter)) : refuse(asker, taken);
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
