import { laneOf, type Scope } from '../calls/scope.ts';

/** Attempts of a lane without a response, and the time of the next one. */
export interface Pause {
  tries: number;
  retryAtMs: number;
}

/** The writes of one member through one app, which keep their order. */
export interface Lane extends Pause {
  readonly name: string;
  readonly viewer: string | null;
  /** Another member is signed in, or it is unknown who is. */
  isPaused: boolean;
  flight: Flight | undefined;
  /** Cancels the next look at the lane. */
  stopTimer: () => void;
}

/** Writes that leave with one POST. */
export interface Flight {
  isBoarding: boolean;
  readonly sends: Promise<void>[];
  readonly keys: Set<string>;
}

export interface Lanes {
  of(scope: Scope): Lane;
  all(): Iterable<Lane>;
}

/** @param isHere True for the member who is signed in. */
export function createLanes(isHere: (viewer: string | null) => boolean): Lanes {
  const lanes = new Map<string, Lane>();
  return {
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
