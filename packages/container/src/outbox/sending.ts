import type { Reply } from '@gantry/wire';
import type { Clock } from '@gantry/wire/runtime';
import type { CallQueue } from '../calls/call-queue.ts';
import type { Scope } from '../calls/scope.ts';
import type { Session } from '../calls/session.ts';
import type { Entry, EntryStore } from './entry.ts';
import type { EntryStates, OwnWrite } from './entry-states.ts';
import { type Attempt, backOff, dueAtMs, expiryOf, nextToSend, requestedPauseMs, verdictOf } from './retry.ts';
import type { Batch, WriteQueue } from './write-queue.ts';

export interface SendingOptions {
  readonly queue: CallQueue;
  readonly store: EntryStore;
  readonly states: EntryStates;
  readonly clock: Pick<Clock, 'now' | 'after' | 'random'>;
  /** Resolves with a session for exactly this scope, or the error that prevents one. */
  readonly sessionFor: (scope: Scope) => Promise<Reply<Session>>;
  /** Runs `work` while no other tab runs work of that name. Rejects if `signal` comes first. */
  readonly exclusive: (name: string, work: () => Promise<void>, signal: AbortSignal) => Promise<void>;
}

const lockPatienceMs = 60_000; // longer than a call may take: the tab that has the lock is frozen

/**
 * Makes the function that sends the writes of a queue when they are due: those of one tick
 * together, one that waits alone and before later ones.
 */
export function createSending(options: SendingOptions): (writes: WriteQueue) => void {
  const { queue, store, states, clock, sessionFor } = options;

  function sendDue(writes: WriteQueue): void {
    const { batch } = writes;
    if (writes.isPaused || batch?.isOpen === false) return;
    const nowMs = clock.now(); // two readings could miss a write between them
    const next = nextToSend(store.inOrder(writes.orderingKey), writes, nowMs);
    const due = next.filter(({ key }) => !batch?.keys.has(key));
    const [first] = due;
    if (first === undefined) sendLater(writes, nowMs);
    else if (batch === undefined) void sendBatch(writes, first, due);
    else if (!first.waits) join(writes, batch, due);
  }

  function sendLater(writes: WriteQueue, nowMs: number): void {
    writes.stopTimer();
    const time = dueAtMs(store.inOrder(writes.orderingKey), writes, nowMs);
    if (time !== undefined) writes.stopTimer = clock.after(Math.ceil(time - nowMs), () => sendDue(writes));
  }

  async function sendBatch(writes: WriteQueue, first: Entry, due: readonly Entry[]): Promise<void> {
    const batch: Batch = { isOpen: !first.waits, sends: [], keys: new Set([first.key]) };
    writes.batch = batch;
    if (first.waits)
      await runExclusively(options, `gantry-outbox ${writes.orderingKey}`, () => sendWaiting(writes, first));
    else join(writes, batch, due);
    for (const sent of batch.sends) await sent; // the list grows while others join
    writes.batch = undefined;
    sendDue(writes);
  }

  function join(writes: WriteQueue, batch: Batch, due: readonly Entry[]): void {
    const onLeave = (): void => {
      batch.isOpen = false;
    };
    for (const entry of due) {
      batch.keys.add(entry.key);
      const { session, onQueued } = states.own.get(entry.key) as OwnWrite; // an entry that has not waited is this tab's
      batch.sends.push(send(writes, entry, { session, onLeave }));
      onQueued?.();
    }
  }

  async function sendWaiting(writes: WriteQueue, entry: Entry): Promise<void> {
    const stored = await store.stored(entry.key);
    if (stored?.done !== undefined) {
      states.adopt(stored, writes.viewer);
      return;
    }
    const expiry = expiryOf(entry, clock.now());
    if (expiry !== undefined) return states.finish(entry, expiry);
    const session = states.own.get(entry.key)?.session;
    const lookup = session === undefined ? await sessionFor(entry.scope) : { ok: session };
    if ('error' in lookup) return settle(writes, entry, { reply: lookup, isLost: true });
    const leaving = { ...entry, sent: true };
    await states.keep(leaving);
    await send(writes, leaving, { session: lookup.ok });
  }

  async function send(
    writes: WriteQueue,
    entry: Entry,
    { session, onLeave }: { readonly session: Session; readonly onLeave?: () => void },
  ): Promise<void> {
    let isLost = false;
    const reply = await queue.send(session, entry.request, {
      isWrite: true,
      write: { id: entry.id },
      signal: states.own.get(entry.key)?.controller.signal,
      ...(onLeave && { onLeave }),
      onLost() {
        isLost = true;
      },
    });
    settle(writes, entry, { reply, isLost });
  }

  function settle(writes: WriteQueue, entry: Entry, attempt: Attempt): void {
    if (store.get(entry.key) === undefined) return; // everything was cleared meanwhile
    const { reply } = attempt;
    switch (verdictOf(entry, attempt, states.own.get(entry.key)?.failsOffline === true)) {
      case 'done':
        writes.tries = 0;
        states.finish(entry, reply);
        break;
      case 'taken back':
        states.drop(entry, reply);
        break;
      case 'another':
        writes.isPaused = true; // stored for its own member, without a report
        void states.keep({ ...entry, waits: true });
        states.answer(entry, reply);
        break;
      case 'again':
        backOff(writes, reply, clock);
        states.hold(entry);
        holdBehind(writes, reply);
        break;
      case 'too soon':
        states.hold(entry, requestedPauseMs(reply));
    }
  }

  /** Makes later writes of a queue wait behind one that waits, or fail with it. */
  function holdBehind(writes: WriteQueue, reply: Reply): void {
    for (const entry of store.inOrder(writes.orderingKey)) {
      if (entry.done !== undefined || entry.waits || writes.batch?.keys.has(entry.key)) continue;
      if (states.own.get(entry.key)?.failsOffline) states.finish(entry, reply);
      else states.hold(entry);
    }
  }

  return sendDue;
}

/** Runs `work` under a lock, or without one that cannot be had: ids of writes suffice. */
async function runExclusively(
  { exclusive, clock }: Pick<SendingOptions, 'exclusive' | 'clock'>,
  name: string,
  work: () => Promise<void>,
): Promise<void> {
  let hasTurn = false;
  const patience = new AbortController();
  const stop = clock.after(lockPatienceMs, () => patience.abort());
  const begin = () => {
    stop();
    hasTurn = true;
    return work();
  };
  await exclusive(name, begin, patience.signal).catch(() => (hasTurn ? undefined : begin()));
}
