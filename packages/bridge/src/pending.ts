import type { Clock, Reply, WireError } from '@gantry/wire';
import { appError } from './app-error.ts';

export interface PendingOptions {
  /** `Infinity` waits for as long as the connection lasts. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Stays after the first reply, for the newer ones. */
  readonly watched?: boolean;
}

/** What waits for an answer from the other side. Each is answered once, whatever happens; a late answer is dropped. */
export interface Pending {
  /** @returns the id under which the answer must come, or undefined if it is answered already: its signal had fired, or all had ended. */
  add(deliver: (reply: Reply) => void, options: PendingOptions): number | undefined;
  settle(id: number, reply: Reply): void;
  /** Forgets it without an answer. False if it was not waiting any more. */
  remove(id: number): boolean;
  /** Answers all that wait, and all that is added later. */
  end(error: WireError): void;
}

interface Entry extends PendingOptions {
  readonly watched: boolean;
  readonly deliver: (reply: Reply) => void;
  readonly onAbort: (() => void) | undefined;
  /** Time by which the first answer must be there; none after it. */
  deadlineMs: number;
}

const aborted = appError('ABORTED', 'The request was aborted.');

/** @param options.giveUp Called with the id of an entry that was answered because of its signal or its time-out. */
export function createPending({
  clock,
  giveUp,
}: {
  readonly clock: Pick<Clock, 'elapsed' | 'after'>;
  readonly giveUp: (id: number) => void;
}): Pending {
  const entries = new Map<number, Entry>();
  let lastId = 0;
  // One timer for all: setting and clearing one for each request costs more than the request.
  let stopTimer = () => {};
  let timerMs = Number.POSITIVE_INFINITY;
  let ended: WireError | undefined;

  function settle(id: number, reply: Reply): void {
    const entry = entries.get(id);
    if (!entry) return;
    entry.deadlineMs = Number.POSITIVE_INFINITY;
    if (!entry.watched) remove(id);
    entry.deliver(reply);
  }
  function remove(id: number): boolean {
    const entry = entries.get(id);
    if (entry?.onAbort) entry.signal?.removeEventListener('abort', entry.onAbort);
    return entries.delete(id);
  }
  function fail(id: number, error: WireError): void {
    settle(id, { error });
    if (!entries.has(id)) giveUp(id); // a watched one goes on: its first value may still come
  }

  function wakeAt(deadlineMs: number): void {
    if (deadlineMs >= timerMs) return;
    stopTimer();
    timerMs = deadlineMs;
    stopTimer = clock.after(deadlineMs - clock.elapsed(), expire);
  }
  function expire(): void {
    timerMs = Number.POSITIVE_INFINITY;
    const nowMs = clock.elapsed();
    for (const [id, { deadlineMs, timeoutMs }] of [...entries]) {
      if (deadlineMs <= nowMs) fail(id, appError('TIMED_OUT', `No answer came within ${timeoutMs} ms.`));
      else wakeAt(deadlineMs);
    }
  }

  return {
    settle,
    remove,
    add(deliver, { timeoutMs, signal, watched = false }) {
      const error = ended ?? (signal?.aborted && aborted);
      if (error) {
        deliver({ error });
        return undefined;
      }
      lastId += 1;
      const id = lastId;
      const onAbort = signal && (() => fail(id, aborted));
      if (onAbort) signal.addEventListener('abort', onAbort);
      const deadlineMs = clock.elapsed() + timeoutMs;
      entries.set(id, { deliver, watched, deadlineMs, timeoutMs, signal, onAbort });
      wakeAt(deadlineMs);
      return id;
    },
    end(error) {
      ended = error;
      for (const id of [...entries.keys()]) {
        settle(id, { error });
        remove(id);
      }
      stopTimer();
    },
  };
}
