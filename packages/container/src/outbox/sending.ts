import type { Clock, Reply } from '@gantry/wire';
import type { CallQueue } from '../calls/call-queue.ts';
import type { Scope } from '../calls/scope.ts';
import type { Session } from '../calls/session.ts';
import type { Entry, EntryStore } from './entry.ts';
import type { EntryStates, OwnWrite } from './entry-states.ts';
import type { Flight, Lane } from './lanes.ts';
import { type Attempt, backOff, dueAtMs, expiryOf, nextToSend, verdictOf, wishedPauseMs } from './repetition.ts';

export interface SendingOptions {
  readonly queue: CallQueue;
  readonly store: EntryStore;
  readonly states: EntryStates;
  readonly clock: Pick<Clock, 'now' | 'after' | 'random'>;
  /** Resolves with a session for exactly this scope, or the error that prevents one. */
  readonly sessionFor: (scope: Scope) => Promise<Reply<Session>>;
  /** Runs `work` while no other tab runs work of that name. */
  readonly exclusive: (name: string, work: () => Promise<void>) => Promise<void>;
}

/**
 * Makes the function that sends a lane's writes when they are due: those of one tick together, one
 * that waits alone and before later ones.
 */
export function createSending(options: SendingOptions): (lane: Lane) => void {
  const { queue, store, states, clock, sessionFor, exclusive } = options;

  function pump(lane: Lane): void {
    const { flight } = lane;
    if (lane.isPaused || (flight !== undefined && !flight.isBoarding)) return;
    const nowMs = clock.now(); // once: a write that comes due between two readings would be forgotten
    const next = nowMs < lane.retryAtMs ? [] : nextToSend(store.lane(lane.name), nowMs);
    const batch = next.filter(({ key }) => !flight?.keys.has(key));
    const [first] = batch;
    if (first === undefined) pumpLater(lane, nowMs);
    else if (flight === undefined) void fly(lane, [first, ...batch.slice(1)]);
    else if (!first.waits) board(lane, flight, batch);
  }

  function pumpLater(lane: Lane, nowMs: number): void {
    lane.stopTimer();
    const time = dueAtMs(store.lane(lane.name), lane, nowMs);
    if (time !== undefined) lane.stopTimer = clock.after(Math.ceil(time - nowMs), () => pump(lane));
  }

  async function fly(lane: Lane, batch: readonly [Entry, ...Entry[]]): Promise<void> {
    const [first] = batch;
    const flight: Flight = { isBoarding: !first.waits, sends: [], keys: new Set([first.key]) };
    lane.flight = flight;
    if (first.waits) await sendAlone(lane, first);
    else board(lane, flight, batch);
    for (const sent of flight.sends) await sent; // the list grows while others board
    lane.flight = undefined;
    pump(lane);
  }

  function board(lane: Lane, flight: Flight, batch: readonly Entry[]): void {
    const onLeave = (): void => {
      flight.isBoarding = false;
    };
    for (const entry of batch) {
      flight.keys.add(entry.key);
      const { session, onQueued } = states.own.get(entry.key) as OwnWrite; // an entry that has not waited is this tab's
      flight.sends.push(send(lane, entry, { session, onLeave }));
      onQueued?.();
    }
  }

  async function sendAlone(lane: Lane, entry: Entry): Promise<void> {
    let hasTurn = false;
    const work = (): Promise<void> => {
      hasTurn = true;
      return sendWaiting(lane, entry);
    };
    try {
      await exclusive(`gantry-outbox ${lane.name}`, work);
    } catch {
      if (!hasTurn) await work(); // the browser gives no locks: the ids of writes suffice
    }
  }

  async function sendWaiting(lane: Lane, entry: Entry): Promise<void> {
    const stored = await store.stored(entry.key);
    if (stored?.done !== undefined) {
      states.adopt(stored, lane.viewer);
      return;
    }
    const expiry = expiryOf(entry, clock.now());
    if (expiry !== undefined) return states.finish(entry, expiry);
    const session = states.own.get(entry.key)?.session;
    const found = session === undefined ? await sessionFor(entry.scope) : { ok: session };
    if ('error' in found) return settle(lane, entry, { reply: found, isLost: true });
    const leaving = { ...entry, sent: true };
    await states.keep(leaving);
    await send(lane, leaving, { session: found.ok });
  }

  async function send(
    lane: Lane,
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
    settle(lane, entry, { reply, isLost });
  }

  function settle(lane: Lane, entry: Entry, attempt: Attempt): void {
    if (store.get(entry.key) === undefined) return; // everything was cleared meanwhile
    const { reply } = attempt;
    switch (verdictOf(entry, attempt, states.own.get(entry.key)?.failsOffline === true)) {
      case 'done':
        lane.tries = 0;
        states.finish(entry, reply);
        break;
      case 'taken back':
        states.drop(entry, reply);
        break;
      case 'another':
        lane.isPaused = true; // kept for its own member; the one who is signed in gets no report
        void states.keep({ ...entry, waits: true });
        states.answer(entry, reply);
        break;
      case 'again':
        backOff(lane, reply, clock);
        states.hold(entry);
        holdBehind(lane, reply);
        break;
      case 'too soon':
        states.hold(entry, clock.now() + wishedPauseMs(reply));
    }
  }

  /** Makes later writes of a lane wait behind one that waits, or fail with it. */
  function holdBehind(lane: Lane, reply: Reply): void {
    for (const entry of store.lane(lane.name)) {
      if (entry.done !== undefined || entry.waits || lane.flight?.keys.has(entry.key)) continue;
      if (states.own.get(entry.key)?.failsOffline) states.finish(entry, reply);
      else states.hold(entry);
    }
  }

  return pump;
}
