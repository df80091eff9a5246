import { type ErrorCode, type Reply, SocialError, type WireError } from '@gantry/wire';

export interface PendingOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Stays after the first reply, for the newer ones. */
  readonly watched?: boolean;
}

/** What waits for an answer from the other side. Each is answered once, whatever happens; a late answer is dropped. */
export interface Pending {
  /** @returns the id under which the answer must come, or undefined if `signal` had fired: it is answered already. */
  add(deliver: (reply: Reply) => void, options: PendingOptions): string | undefined;
  settle(id: string, reply: Reply): void;
  /** Forgets it without an answer. False if it was not waiting any more. */
  remove(id: string): boolean;
  /** Answers all that wait. */
  settleAll(error: WireError): void;
}

interface Entry {
  readonly deliver: (reply: Reply) => void;
  readonly watched: boolean;
  forget(): void;
}

/** @param giveUp Called with the id of an entry that was answered because of its signal or its time-out. */
export function createPending(giveUp: (id: string) => void): Pending {
  const entries = new Map<string, Entry>();
  let lastId = 0;

  function settle(id: string, reply: Reply): void {
    const entry = entries.get(id);
    if (!entry) return;
    entry.forget();
    if (!entry.watched) entries.delete(id);
    entry.deliver(reply);
  }
  function remove(id: string): boolean {
    entries.get(id)?.forget();
    return entries.delete(id);
  }
  function fail(id: string, code: ErrorCode, message: string): void {
    settle(id, { error: new SocialError(code, message).toWire() });
    if (!entries.has(id)) giveUp(id); // a watched one goes on: its first value may still come
  }

  return {
    settle,
    remove,
    add(deliver, { timeoutMs, signal, watched = false }) {
      if (signal?.aborted) {
        deliver({ error: new SocialError('ABORTED', 'The request was aborted.').toWire() });
        return undefined;
      }
      lastId += 1;
      const id = String(lastId);
      const onAbort = (): void => fail(id, 'ABORTED', 'The request was aborted.');
      const onTimeout = (): void => fail(id, 'TIMED_OUT', `No answer came within ${timeoutMs} ms.`);
      const timer = setTimeout(onTimeout, Math.min(timeoutMs, 2 ** 31 - 1)); // beyond it, timers fire at once
      signal?.addEventListener('abort', onAbort);
      entries.set(id, {
        deliver,
        watched,
        forget() {
          clearTimeout(timer);
          signal?.removeEventListener('abort', onAbort);
        },
      });
      return id;
    },
    settleAll(error) {
      for (const id of [...entries.keys()]) {
        settle(id, { error });
        entries.delete(id);
      }
    },
  };
}
