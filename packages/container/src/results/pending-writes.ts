import { type Asked, laneOf, type Scope } from '../calls/scope.ts';
import { type Overlay, overlayOf, type PendingWrite } from './optimistic.ts';

/** Unconfirmed writes that results show. */
export interface PendingWrites {
  /** Shows a write, unless its gadget has too many that are shown. */
  add(write: PendingWrite): void;
  remove(writes: Iterable<PendingWrite>): void;
  /** True if the member has a pending write through this app, shown or not. */
  has(scope: Scope): boolean;
  /** Returns a result with its writes over it: the same object until one of them changes. */
  over(read: Asked, base: unknown): unknown;
  forget(matches: (write: PendingWrite) => boolean): void;
}

/**
 * Most unconfirmed writes of a gadget that are shown, and keys of AppData in them. Others are sent
 * all the same, and shown by their replies.
 */
export const mostShown = { writes: 50, keys: 1_000 } as const;

/** The writes of one member through one app, which are laid over their own results alone. */
interface Lane {
  /** In the order of writing. */
  readonly writes: Set<PendingWrite>;
  shown: readonly PendingWrite[];
  overlay: Overlay;
  /** By request. */
  views: WeakMap<Asked['request'], { readonly base: unknown; readonly view: unknown }>;
}

// Results stay as the site sent them: a write that fails is gone without a trace.
export function createPendingWrites(): PendingWrites {
  const lanes = new Map<string, Lane>();

  function change(lane: Lane, shown: readonly PendingWrite[]): void {
    lane.shown = shown;
    lane.overlay = overlayOf(shown.map((write) => ({ write })));
    lane.views = new WeakMap();
  }
  function remove(writes: Iterable<PendingWrite>): void {
    const changed = new Map<string, Lane>();
    for (const write of writes) {
      const name = laneOf(write.scope);
      const lane = lanes.get(name);
      if (lane?.writes.delete(write)) changed.set(name, lane);
    }
    for (const [name, lane] of changed) {
      if (lane.writes.size === 0) lanes.delete(name);
      change(
        lane,
        lane.shown.filter((write) => lane.writes.has(write)),
      );
    }
  }

  return {
    add(write) {
      const name = laneOf(write.scope);
      const lane = lanes.get(name) ?? { writes: new Set(), shown: [], overlay: overlayOf([]), views: new WeakMap() };
      lanes.set(name, lane);
      lane.writes.add(write);
      if (hasRoom(lane, write)) change(lane, [...lane.shown, write]);
    },
    remove,
    has: (scope) => lanes.has(laneOf(scope)),
    over(read, base) {
      if (lanes.size === 0) return base;
      const lane = lanes.get(laneOf(read.scope));
      if (lane === undefined) return base;
      const known = lane.views.get(read.request);
      if (known?.base === base) return known?.view;
      const view = lane.overlay(read, base);
      lane.views.set(read.request, { base, view });
      return view;
    },
    forget(matches) {
      remove([...lanes.values()].flatMap(({ writes }) => [...writes]).filter(matches));
    },
  };
}

function hasRoom({ shown }: Lane, write: PendingWrite): boolean {
  const ofGadget = shown.filter((other) => other.scope.owner === write.scope.owner);
  const keys = ofGadget.reduce((sum, other) => sum + keysOf(other), keysOf(write));
  return ofGadget.length < mostShown.writes && keys <= mostShown.keys;
}

function keysOf({ request: { body, query } }: PendingWrite): number {
  if (body !== undefined) return Object.keys(body).length;
  return query.reduce((sum, [, value]) => sum + value.split(',').length, 0);
}
