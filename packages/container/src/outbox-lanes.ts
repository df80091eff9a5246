import type { Clock } from '@gantry/wire';
import type { Entry } from './outbox-entry.ts';
import { nextTime, nextToSend } from './outbox-order.ts';
import type { Shelf } from './outbox-shelf.ts';
import { laneOf, type Scope } from './scope.ts';

/** The writes of one member through one app, which keep their order. */
export interface Lane {
  readonly name: string;
  readonly viewer: string | null;
  /** Another member is signed in, or nobody is known to be. */
  isPaused: boolean;
  flight: Flight | undefined;
  /** Tries without an answer, and when the next one is due. */
  tries: number;
  retryAtMs: number;
  /** Takes back the next look at it. */
  stopTimer: () => void;
}

/** Writes that leave with one POST. */
interface Flight {
  isBoarding: boolean;
  readonly sends: Promise<void>[];
  readonly keys: Set<string>;
}

/** Decides when writes leave: what came together goes together, what waits goes alone and before what came after it. */
export interface Lanes {
  of(scope: Scope): Lane;
  all(): Iterable<Lane>;
  /** Lets leave what may, and comes back by itself when something else is due. */
  pump(lane: Lane): void;
}

export interface LanesOptions {
  readonly shelf: Pick<Shelf, 'lane'>;
  readonly clock: Pick<Clock, 'now' | 'after'>;
  /** Runs `work` while no other tab runs work of that name. */
  readonly exclusive: (name: string, work: () => Promise<void>) => Promise<void>;
  readonly isHere: (viewer: string | null) => boolean;
  /** Sends what this tab wrote and what has not waited. `onLeave` is called when the POST that takes it is put together. */
  readonly sendOwn: (lane: Lane, entry: Entry, onLeave: () => void) => Promise<void>;
  /** Sends what waits, whoever wrote it, while no other tab does. */
  readonly sendWaiting: (lane: Lane, entry: Entry) => Promise<void>;
}

export function createLanes(options: LanesOptions): Lanes {
  const { shelf, clock, exclusive, isHere, sendOwn, sendWaiting } = options;
  const lanes = new Map<string, Lane>();

  function pump(lane: Lane): void {
    const { flight } = lane;
    if (lane.isPaused || (flight !== undefined && !flight.isBoarding)) return;
    const nowMs = clock.now(); // once: were it due between two readings, nobody would wake it
    const next = nowMs < lane.retryAtMs ? [] : nextToSend(shelf.lane(lane.name), nowMs);
    const batch = next.filter(({ key }) => !flight?.keys.has(key));
    const [first] = batch;
    if (first === undefined) wakeLater(lane, nowMs);
    else if (flight === undefined) void fly(lane, [first, ...batch.slice(1)]);
    else if (!first.waits) board(lane, flight, batch);
  }

  function wakeLater(lane: Lane, nowMs: number): void {
    lane.stopTimer();
    const time = nextTime(shelf.lane(lane.name), { retryAtMs: lane.retryAtMs, nowMs });
    if (time !== undefined) lane.stopTimer = clock.after(Math.ceil(time - nowMs), () => pump(lane));
  }

  async function fly(lane: Lane, batch: readonly [Entry, ...Entry[]]): Promise<void> {
    const [first] = batch;
    const flight: Flight = { isBoarding: !first.waits, sends: [], keys: new Set([first.key]) };
    lane.flight = flight;
    if (first.waits) await alone(lane, first);
    else board(lane, flight, batch);
    for (const sent of flight.sends) await sent; // the list grows while others board
    lane.flight = undefined;
    pump(lane);
  }

  async function alone(lane: Lane, entry: Entry): Promise<void> {
    let hasTurn = false;
    const work = (): Promise<void> => {
      hasTurn = true;
      return sendWaiting(lane, entry);
    };
    try {
      await exclusive(`gantry-outbox ${lane.name}`, work);
    } catch {
      if (!hasTurn) await work(); // there are no locks to be had: the ids of writes do alone
    }
  }

  function board(lane: Lane, flight: Flight, batch: readonly Entry[]): void {
    const onLeave = (): void => {
      flight.isBoarding = false;
    };
    for (const entry of batch) {
      flight.keys.add(entry.key);
      flight.sends.push(sendOwn(lane, entry, onLeave));
    }
  }

  return {
    pump,
    all: () => lanes.values(),
    of(scope) {
      const name = laneOf(scope);
      const known = lanes.get(name);
      if (known !== undefined) return known;
      const { viewer } = scope;
      const isPaused = !isHere(viewer);
      const made: Lane = { name, viewer, isPaused, flight: undefined, tries: 0, retryAtMs: 0, stopTimer: () => {} };
      lanes.set(name, made);
      return made;
    },
  };
}
