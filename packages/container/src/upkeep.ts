import { randomNonce } from '@gantry/bridge';
import { type Change, changesOf, dependsOn, type Reply, type ReplyMeta, type WireError } from '@gantry/wire';
import { type Attention, pageAttention } from './attention.ts';
import type { CallQueue, WriteSending } from './call-queue.ts';
import type { Flights } from './flights.ts';
import { type OutboxSetting, openOutbox } from './open-outbox.ts';
import { type PendingWrite, withWrite } from './optimistic.ts';
import type { Outdated, ResultCache } from './result-cache.ts';
import type { Asked } from './scope.ts';
import type { Session } from './session.ts';
import { createTabs, openTabChannel, type TabChannel, type TabMessage } from './tabs.ts';
import type { Read, Write } from './understand.ts';
import type { Result, Watchers } from './watchers.ts';
import type { AttendedOutbox } from './writes.ts';

// Fetched when the first gadget of a page is mounted: its first paint needs none of this.

/** A write that was shown and is not any more: it failed, or nobody knows whether it was done. */
export interface Rollback {
  /** The call as the app wrote it. */
  readonly operation: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly error: WireError;
}

/** Keeps results right while things change: writes of this page, of other tabs and of other members. */
export interface Upkeep {
  /** What a read shows: `base`, as the site gave it, with the pending writes over it. */
  over(read: Asked, base: unknown): unknown;
  /** A write is never joined. Never rejects. */
  write(asked: Write, options: WriteSending): Promise<Reply>;
  /**
   * Shows at once what a write will do, until the returned function gets the write's reply: then results are what the
   * site made of it. That resolves when no page of this browser can take for fresh what the write made stale.
   */
  pend(write: PendingWrite): (reply: Reply) => Promise<void>;
  /** The outbox of this browser, over the queue that really sends. */
  openOutbox(setting: Omit<OutboxSetting, 'pend'>): Promise<AttendedOutbox>;
  /** Makes results stale that depend on changes made elsewhere, and asks again for those that are watched. */
  invalidate(changes: readonly Change[]): void;
  /** Tells the other tabs. */
  tell(message: TabMessage): void;
  /** Forgets pending writes. */
  forget(matches: (write: Asked) => boolean): void;
}

/** What belongs to the page around it. Options with a default are the browser's own. */
export interface UpkeepOptions {
  /** Absolute URL of `/gantry/`. */
  readonly base: URL;
  readonly attention?: Attention | undefined;
  readonly channel?: TabChannel | undefined;
  readonly onRollback: (session: Session, rollback: Rollback) => void;
  /** Another tab says that somebody signed out, or who is signed in. */
  readonly onSignIn: (message: Exclude<TabMessage, { readonly changes: unknown }>) => void;
}

/** What the answers of a page share with it. */
export interface Answering {
  readonly cache: ResultCache;
  readonly queue: CallQueue;
  readonly flights: Flights<Read>;
  readonly watchers: Watchers<Read>;
  readonly now: () => number;
  readonly fetchRead: (read: Read) => unknown;
  /** What is kept for a read, if it is of an age to be shown. */
  readonly keptResult: (read: Read) => KeptResult | undefined;
}

export type KeptResult = Result & { readonly meta: ReplyMeta };

export function createUpkeep(answering: Answering, options: UpkeepOptions): Upkeep {
  const { cache, queue, flights, watchers, now, fetchRead, keptResult } = answering;
  const { base, attention = pageAttention(), channel = openTabChannel(base), onRollback, onSignIn } = options;
  // In the order of writing. Results are kept as the site gave them and the writes laid over them anew each time one is
  // shown: so a write that fails is gone without a trace, whatever happened meanwhile.
  const pending = new Set<PendingWrite>();
  const tabs = createTabs(channel, (message) => {
    if ('changes' in message) void invalidate(message.changes, 'elsewhere');
    else onSignIn(message);
  });
  attention.onReturn(() => {
    for (const read of watchers.watched(() => true)) {
      const kept = keptResult(read);
      if (kept === undefined || kept.meta.stale) fetchRead(read);
    }
  });

  function outdate(isStale: (asked: Asked) => boolean, outdated: Outdated): Promise<void> {
    return cache.revise((result) =>
      result.outdated === 'here' || result.outdated === outdated || !isStale(result) ? result : { ...result, outdated },
    );
  }

  function invalidate(changes: readonly Change[], by: Outdated): Promise<void> {
    const isStale = dependentOn(changes);
    flights.outdate(isStale);
    const marked = outdate(isStale, by);
    if (!attention.isHidden()) for (const read of watchers.watched(isStale)) fetchRead(read); // else when somebody looks again
    return marked;
  }

  function pend(write: PendingWrite): (reply: Reply) => Promise<void> {
    const changes = changesOf(write.request, write.scope.app);
    const isStale = dependentOn(changes);
    // Already now: who leaves the page before the answer must not find the old result fresh later.
    void outdate(isStale, 'here');
    pending.add(write);
    for (const read of watchers.watched(isStale)) pushKept(read);
    return async (reply) => {
      pending.delete(write);
      if ('ok' in reply) {
        void cache.revise((result) => {
          const value = withWrite(write, result, result.value, reply.ok);
          return value === result.value ? result : { ...result, value };
        });
      }
      for (const read of watchers.watched(isStale)) if (!pushKept(read)) fetchRead(read);
      if ('error' in reply && !isUnknown(reply.error)) return;
      tabs.tell({ changes });
      await invalidate(changes, 'here');
    };
  }

  function pushKept(read: Read): boolean {
    const kept = keptResult(read);
    if (kept) watchers.push(read.key, kept);
    return kept !== undefined;
  }

  return {
    over(read, value) {
      let shown = value;
      for (const write of pending) shown = withWrite(write, read, shown);
      return shown;
    },
    async write({ scope, request, session, sent }, { write: said, signal }) {
      const write = { id: randomNonce(), ...said };
      const settle = pend({ id: String(write.id), scope, request, atMs: now() });
      const reply = await queue.send(session, sent, { isWrite: true, write, signal });
      await settle(reply);
      if ('error' in reply) onRollback(session, { ...sent, error: reply.error });
      return reply;
    },
    pend,
    openOutbox: (setting) => openOutbox({ ...setting, pend }),
    invalidate: (changes) => void invalidate(changes, 'elsewhere'),
    tell: tabs.tell,
    forget(matches) {
      for (const write of pending) if (matches(write)) pending.delete(write);
    },
  };
}

function dependentOn(changes: readonly Change[]) {
  return ({ scope, request }: Asked): boolean => changes.some((change) => dependsOn(request, scope.app, change));
}

// Given up, or failed between page and service.
function isUnknown({ code }: WireError): boolean {
  return code === 499 || code === 502 || code === 503 || code === 504;
}
