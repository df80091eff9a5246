import type { Change, Reply } from '@gantry/wire';
import { laneOf, type Scope } from '../calls/scope.ts';
import type { PendingWrite } from './optimistic.ts';
import { throttled } from './throttle.ts';

/** A write with a reply that results do not show yet. */
export interface Settled {
  readonly write: PendingWrite;
  readonly changes: readonly Change[];
  readonly reply: Reply;
  /** Called when results show it. */
  readonly resolve: (marked: Promise<void> | undefined) => void;
}

/** Writes of one member through one app since their results were shown last. */
export interface WrittenLane {
  readonly scope: Scope;
  settled: Settled[];
  /** Changes that watched results were not asked again for yet. */
  due: Change[];
  timer: ReturnType<typeof setTimeout> | undefined;
  /** Version of the cache in which a topic was marked as stale. */
  readonly marked: Map<Change['topic'], number>;
  /** Shows results soon that depend on these changes. */
  touch(changes: readonly Change[]): void;
  /** Takes what happened since the last time. */
  take(): { readonly settled: readonly Settled[]; readonly touched: readonly Change[] };
}

/** @param renew Shows a lane: once for all of a tick, and each lane at its own pace. */
export function createWrittenLanes(renew: (lane: WrittenLane) => void): (scope: Scope) => WrittenLane {
  const lanes = new Map<string, WrittenLane>();

  function create(scope: Scope): WrittenLane {
    let touched: readonly Change[] = [];
    const renewSoon = throttled(() => renew(lane));
    const lane: WrittenLane = {
      scope,
      settled: [],
      due: [],
      timer: undefined,
      marked: new Map(),
      touch(changes) {
        touched = distinct([...touched, ...changes]);
        renewSoon();
      },
      take() {
        const taken = { settled: lane.settled, touched };
        lane.settled = [];
        touched = [];
        return taken;
      },
    };
    return lane;
  }

  return (scope) => {
    const name = laneOf(scope);
    const lane = lanes.get(name) ?? create(scope);
    lanes.set(name, lane);
    return lane;
  };
}

/** Removes duplicates. Those of one app and member are few, however many writes make them. */
export function distinct(changes: readonly Change[]): readonly Change[] {
  return [...new Map(changes.map((change) => [JSON.stringify(change), change])).values()];
}
