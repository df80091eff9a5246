import type { Reply, WireError } from '@gantry/wire';
import type { Clock } from '@gantry/wire/runtime';
import { appError } from './app-error.ts';
import type { LeasedItem } from './protocol.ts';

export interface PendingOptions {
  /** `Infinity` waits until the connection ends. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Operation and parameters as one text. */
  readonly call?: string | undefined;
  /** Keeps the entry after the first reply, for newer ones. */
  readonly watched?: boolean | undefined;
}

interface Entry extends PendingOptions {
  readonly deliver: (reply: Reply) => void;
  readonly onAbort: (() => void) | undefined;
  /** Deadline of the first reply; `Infinity` after it. */
  deadlineMs: number;
  /** Lease that the last reply came from. */
  known?: LeasedItem | undefined;
}

/** Returns the error of what had no answer in time. */
export function timedOut(ms: number): WireError {
  return appError('TIMED_OUT', `No answer came within ${ms} ms.`);
}

const aborted = appError('ABORTED', 'The request was aborted.');

/**
 * Entries that wait for replies. Each always gets one; late replies are dropped.
 *
 * @param giveUp Called with the id of an entry that was aborted or timed out.
 */
export function createPending(clock: Pick<Clock, 'elapsed' | 'after'>, giveUp: (id: number) => void) {
  const entries = new Map<number, Entry>();
  let lastId = 0;
  // One timer for all: one for each request would cost more than the request.
  let stopTimer: (() => void) | undefined;
  let timerMs = Number.POSITIVE_INFINITY;
  let tickMs = 0; // of the first entry of this tick: reading the clock costs more than an entry
  let ended: WireError | undefined;

  /** Delivers a reply. @param known The lease that it comes from. */
  function settle(id: number, reply: Reply, known?: LeasedItem): void {
    const entry = entries.get(id);
    if (!entry) return;
    if (entry.watched) {
      entry.known = known;
      entry.deadlineMs = Number.POSITIVE_INFINITY;
    } else remove(id);
    entry.deliver(reply);
  }
  /** Removes an entry without a reply. Returns false if there was none. */
  function remove(id: number): boolean {
    const entry = entries.get(id);
    if (entry?.onAbort) entry.signal?.removeEventListener('abort', entry.onAbort);
    return entries.delete(id);
  }
  function fail(id: number, error: WireError): void {
    settle(id, { error });
    if (!entries.has(id)) giveUp(id); // a watched one stays: its first value may still arrive
  }

  function wakeAt(deadlineMs: number): void {
    if (deadlineMs >= timerMs) return;
    stopTimer?.();
    timerMs = deadlineMs;
    stopTimer = clock.after(deadlineMs - clock.elapsed(), expire);
  }
  function expire(): void {
    timerMs = Number.POSITIVE_INFINITY;
    const nowMs = clock.elapsed();
    for (const [id, { deadlineMs, timeoutMs }] of [...entries]) {
      if (deadlineMs <= nowMs) fail(id, timedOut(timeoutMs));
      else wakeAt(deadlineMs);
    }
  }

  return {
    settle,
    remove,
    get: (id: number): Partial<Pick<Entry, 'call' | 'known'>> | undefined => entries.get(id),
    /** Returns the id of a new entry, `undefined` if it failed at once: aborted, or ended. */
    add(deliver: (reply: Reply) => void, options: PendingOptions): number | undefined {
      const { timeoutMs, signal, call, watched } = options;
      const error = ended ?? (signal?.aborted && aborted);
      if (error) {
        deliver({ error });
        return undefined;
      }
      lastId += 1;
      const id = lastId;
      const onAbort = signal && (() => fail(id, aborted));
      if (onAbort) signal.addEventListener('abort', onAbort);
      if (!tickMs) {
        tickMs = clock.elapsed();
        queueMicrotask(() => {
          tickMs = 0;
        });
      }
      const deadlineMs = tickMs + timeoutMs;
      entries.set(id, { deliver, timeoutMs, signal, call, watched, deadlineMs, onAbort });
      wakeAt(deadlineMs);
      return id;
    },
    /** Fails all entries, and all that are added later. */
    end(error: WireError): void {
      ended = error;
      for (const id of entries.keys()) {
        settle(id, { error });
        remove(id);
      }
      stopTimer?.();
    },
  };
}
