import { type Asked, orderingKeyOf, type Scope } from '../calls/scope.ts';
import { type Overlay, overlayOf, type PendingWrite, type Written } from './optimistic.ts';

/**
 * Most unconfirmed writes of a gadget that are shown, and keys of AppData in them. Others are sent
 * all the same, and shown by their replies.
 */
export const mostShown = { writes: 50, keys: 1_000 } as const;

type Shown = Pick<Written, 'write'> & { done?: unknown };

/** The writes of one member through one app, which are laid over their own results alone. */
interface PendingGroup {
  /** In the order of writing. */
  readonly writes: Set<PendingWrite>;
  /** Their overlay looks up what is done. */
  shown: readonly Shown[];
  overlay: Overlay;
  /** By request. */
  views: WeakMap<Asked['request'], { readonly base: unknown; readonly view: unknown }>;
}

/**
 * Unconfirmed writes that results show. Results stay as the site sent them: a write that fails is
 * gone without a trace.
 */
export function createPendingWrites() {
  const groups = new Map<string, PendingGroup>();

  function change(group: PendingGroup, shown: readonly Shown[]): void {
    group.shown = shown;
    group.overlay = overlayOf(shown);
    group.views = new WeakMap();
  }
  function remove(writes: Iterable<PendingWrite>): void {
    const changed = new Map<string, PendingGroup>();
    for (const write of writes) {
      const key = orderingKeyOf(write.scope);
      const group = groups.get(key);
      if (group?.writes.delete(write)) changed.set(key, group);
    }
    for (const [key, group] of changed) {
      if (group.writes.size === 0) groups.delete(key);
      change(
        group,
        group.shown.filter(({ write }) => group.writes.has(write)),
      );
    }
  }

  return {
    /** Shows a write, unless its gadget has too many that are shown. */
    add(write: PendingWrite): void {
      const key = orderingKeyOf(write.scope);
      const group = groups.get(key) ?? { writes: new Set(), shown: [], overlay: overlayOf([]), views: new WeakMap() };
      groups.set(key, group);
      group.writes.add(write);
      if (hasRoom(group, write)) change(group, [...group.shown, { write }]);
    },
    /** Shows a write as the site has done it: results that have it already show it once. */
    confirm(write: PendingWrite, done: unknown): void {
      const group = groups.get(orderingKeyOf(write.scope));
      const one = group?.shown.find((other) => other.write === write);
      if (!group || !one) return;
      one.done = done;
      group.views = new WeakMap();
    },
    remove,
    /** True if the member has a pending write through this app, shown or not. */
    has: (scope: Scope): boolean => groups.has(orderingKeyOf(scope)),
    /** Returns a result with its writes over it: the same object until one of them changes. */
    over(read: Asked, base: unknown): unknown {
      if (groups.size === 0) return base;
      const group = groups.get(orderingKeyOf(read.scope));
      if (group === undefined) return base;
      const last = group.views.get(read.request);
      if (last?.base === base) return last?.view;
      const view = group.overlay(read, base);
      group.views.set(read.request, { base, view });
      return view;
    },
    forget(matches: (write: PendingWrite) => boolean): void {
      remove([...groups.values()].flatMap(({ writes }) => [...writes]).filter(matches));
    },
  };
}

function hasRoom({ shown }: PendingGroup, write: PendingWrite): boolean {
  const ofGadget = shown.filter((other) => other.write.scope.owner === write.scope.owner);
  const keys = ofGadget.reduce((sum, other) => sum + keysOf(other.write), keysOf(write));
  return ofGadget.length < mostShown.writes && keys <= mostShown.keys;
}

function keysOf({ request: { body, query } }: PendingWrite): number {
  if (body !== undefined) return Object.keys(body).length;
  return query.reduce((sum, [, value]) => sum + value.split(',').length, 0);
}
