import type { SocialError } from '@gantry/wire';

/** Pings an app by `send` with a number, which the pong repeats, to see if it responds. */
export function createHeartbeat(send: (number: number) => void, now = () => performance.now()) {
  let waiting: (PromiseWithResolvers<number> & { readonly askedAtMs: number }) | undefined;
  let number = 0;
  let ended: SocialError | undefined;

  return {
    /** Resolves with the milliseconds until the pong; rejects when the connection ends. */
    ping(): Promise<number> {
      if (ended) return Promise.reject(ended);
      if (!waiting) {
        waiting = { ...Promise.withResolvers<number>(), askedAtMs: now() };
        waiting.promise.catch(() => {}); // not unhandled if nothing awaits it
        number += 1;
        send(number);
      }
      return waiting.promise;
    },
    /** Handles a pong. Ignores numbers other than that of the pending ping. */
    pong(answered: unknown): void {
      if (!waiting || answered !== number) return;
      waiting.resolve(now() - waiting.askedAtMs);
      waiting = undefined;
    },
    end(error: SocialError): void {
      ended = error;
      waiting?.reject(error);
    },
  };
}
