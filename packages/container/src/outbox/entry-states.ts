import type { WriteReport } from '@gantry/bridge';
import type { Reply } from '@gantry/wire';
import type { Clock } from '@gantry/wire/runtime';
import type { Scope } from '../calls/scope.ts';
import type { Session } from '../calls/session.ts';
import { type Entry, type EntryStore, reportOf } from './entry.ts';

/** A write of this tab that has callers. */
export interface OwnWrite {
  readonly session: Session;
  readonly failsOffline: boolean;
  readonly controller: AbortController;
  readonly onQueued: (() => void) | undefined;
  readonly callers: ((reply: Reply) => void)[];
}

export interface EntryStatesOptions {
  readonly store: EntryStore;
  readonly clock: Pick<Clock, 'now'>;
  readonly broadcast: (entry: Entry) => void;
  /** Reports a write that waits now, or is done. */
  readonly report: (scope: Scope, report: WriteReport) => void;
  /** Shows what a write of another page will do, until the returned function gets its reply. */
  readonly show: (entry: Entry) => (reply: Reply) => void;
}

export type EntryStates = ReturnType<typeof createEntryStates>;

/** Moves writes from one state to the next: stores it, reports it, resolves its callers. */
export function createEntryStates({ store, clock, broadcast, report, show }: EntryStatesOptions) {
  const own = new Map<string, OwnWrite>();
  const overlays = new Map<string, (reply: Reply) => void>();

  function publish(entry: Entry): void {
    broadcast(entry);
    report(entry.scope, reportOf(entry));
  }
  /** Stores an entry as it is now, in memory alone if its app wants to see it fail. */
  async function keep(entry: Entry): Promise<void> {
    if (own.get(entry.key)?.failsOffline) store.mirror(entry);
    else await store.keep(entry);
  }
  /** Says that a write waits when a page that ends cannot lose it any more. */
  async function publishOnceKept({ key }: Entry, saving: Promise<void>): Promise<void> {
    await saving;
    const entry = store.get(key);
    if (entry !== undefined && entry.done === undefined) publish(entry);
  }
  /** Resolves the callers of a write, and ends its optimistic result. */
  function answer({ key }: Entry, reply: Reply): void {
    const write = own.get(key);
    own.delete(key);
    overlays.get(key)?.(reply);
    overlays.delete(key);
    write?.onQueued?.();
    for (const resolve of write?.callers ?? []) resolve(reply);
  }
  /** Shows a write of another page while its member is signed in. */
  function showHere(entry: Entry, viewer: string | null | undefined): void {
    const { key, scope, done } = entry;
    if (scope.viewer !== viewer) overlays.delete(key);
    else if (done === undefined && !own.has(key) && !overlays.has(key)) overlays.set(key, show(entry)); // results know writes of this tab
  }

  return {
    /** Writes of this tab, by key of their entry. */
    own,
    keep,
    answer,
    show: showHere,
    /** Makes a write wait, for a time or for the site. */
    hold({ retryAtMs: _, heldAtMs: __, ...entry }: Entry, pauseMs?: number): void {
      const heldAtMs = clock.now();
      const pause = pauseMs !== undefined && { heldAtMs, retryAtMs: heldAtMs + pauseMs };
      const held: Entry = { ...entry, waits: true, ...pause };
      const saving = keep(held);
      own.get(entry.key)?.onQueued?.();
      if (!entry.waits || pause) void publishOnceKept(held, saving);
    },
    finish(entry: Entry, reply: Reply): void {
      if (store.get(entry.key)?.done !== undefined) return; // another tab was faster
      const done: Entry = { ...entry, done: { reply, atMs: clock.now() } };
      void keep(done);
      answer(done, reply);
      publish(done);
    },
    /** Replies to a write that this browser keeps no longer. */
    drop(entry: Entry, reply: Reply): void {
      store.forget(entry);
      answer(entry, reply);
    },
    /** Takes over the state that another tab stored. Returns false if it is done already. */
    adopt(entry: Entry, viewer: string | null | undefined): boolean {
      if (store.get(entry.key)?.done !== undefined) return false;
      store.mirror(entry);
      if (entry.done !== undefined) answer(entry, entry.done.reply);
      else showHere(entry, viewer);
      report(entry.scope, reportOf(entry));
      return true;
    },
  };
}
