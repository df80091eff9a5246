import type { SocialError } from '@gantry/wire';

/** Asks an app whether its document is there and runs. */
export interface Heartbeat {
  /**
   * Milliseconds until the app answered. Never settles while it does not, and rejects with a SocialError when the
   * connection ends. A second call while one waits waits for the same answer.
   */
  ping(): Promise<number>;
  /** An answer came. Only the one to the present question counts. */
  pong(number: unknown): void;
  end(error: SocialError): void;
}

/** @param ask Sends the question with its number, which the answer repeats. */
export function createHeartbeat(ask: (number: number) => void, now = () => performance.now()): Heartbeat {
  let waiting: (PromiseWithResolvers<number> & { readonly askedAtMs: number }) | undefined;
  let number = 0;
  let ended: SocialError | undefined;

  return {
    ping() {
      if (ended) return Promise.reject(ended);
      if (!waiting) {
        waiting = { ...Promise.withResolvers<number>(), askedAtMs: now() };
        waiting.promise.catch(() => {}); // nobody has to wait for it
        number += 1;
        ask(number);
      }
      return waiting.promise;
    },
    pong(answered) {
      if (!waiting || answered !== number) return;
      waiting.resolve(now() - waiting.askedAtMs);
      waiting = undefined;
    },
    end(error) {
      ended = error;
      waiting?.reject(error);
    },
  };
}
