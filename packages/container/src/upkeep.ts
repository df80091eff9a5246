import { randomNonce } from '@gantry/bridge';
import {
  type Change,
  type Clock,
  changesOf,
  dependsOn,
  type Reply,
  type ReplyMeta,
  type WireError,
} from '@gantry/wire';
import { type Attention, pageAttention } from './attention.ts';
import type { CallQueue, WriteSending } from './call-queue.ts';
import type { Flights } from './flights.ts';
import { type OutboxSetting, openOutbox } from './open-outbox.ts';
import { overlayOf, type PendingWrite } from './optimistic.ts';
import { createPendingWrites } from './pending-writes.ts';
import type { Outdated, ResultCache } from './result-cache.ts';
import type { Asked } from './scope.ts';
import type { Session } from './session.ts';
import { createTabs, openTabChannel, type TabChannel, type TabMessage } from './tabs.ts';
import type { Read, Write } from './understand.ts';
import type { Result, Watchers } from './watchers.ts';
import type { AttendedOutbox } from './writes.ts';
import { createWrittenLanes, distinct, type WrittenLane } from './written-lanes.ts';

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
  /** Speaks with no other page. */
  readonly isAlone: boolean;
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
  readonly clock: Clock;
  readonly fetchRead: (read: Read) => unknown;
  /** What is kept for a read, if it is of an age to be shown. */
  readonly keptResult: (read: Read) => KeptResult | undefined;
}

export type KeptResult = Result & { readonly meta: ReplyMeta };

export function createUpkeep(answering: Answering, options: UpkeepOptions): Upkeep {
  const { cache, queue, flights, watchers, clock, fetchRead, keptResult } = answering;
  const { base, attention = pageAttention(), isAlone, onRollback, onSignIn } = options;
  const channel = options.channel ?? (isAlone ? undefined : openTabChannel(base));
  const pending = createPendingWrites();
  const laneOf = createWrittenLanes(renew);
  const tabs = createTabs(channel, (message) => {
    if ('changes' in message) invalidate(message.changes);
    else onSignIn(message);
  });
  attention.onReturn(() => {
    for (const read of watchers.watched(() => true)) {
      const kept = keptResult(read);
      if (kept === undefined || kept.meta.stale) fetchRead(read);
    }
  });

  function mark(changes: readonly Change[], outdated: Outdated): Promise<void> {
    const isStale = dependentOn(changes);
    return cache.revise((result) =>
      result.outdated === 'here' || result.outdated === outdated || !isStale(result) ? result : { ...result, outdated },
    );
  }
  function outdate(changes: readonly Change[], by: Outdated): Promise<void> {
    flights.outdate(dependentOn(changes));
    return mark(changes, by);
  }
  function askAgain(changes: readonly Change[]): void {
    if (attention.isHidden()) return; // when somebody looks again
    for (const read of watchers.watched(dependentOn(changes))) fetchRead(read);
  }
  function invalidate(changes: readonly Change[]): void {
    void outdate(changes, 'elsewhere');
    askAgain(changes);
  }

  function pend(write: PendingWrite): (reply: Reply) => Promise<void> {
    const { scope, request } = write;
    const lane = laneOf(scope);
    const changes = changesOf(request, scope.app);
    for (const change of changes) {
      // Already now: who leaves the page before the answer must not find the old result fresh later.
      if (lane.marked.get(change.topic) !== cache.version) void mark([change], 'here');
      lane.marked.set(change.topic, cache.version);
    }
    pending.add(write);
    lane.touch(changes);
    return (reply) =>
      new Promise((resolve) => {
        lane.settled.push({ write, changes, reply, resolve });
        lane.touch(changes);
      });
  }

  /** Shows what became of the writes of a lane since the last time: each read once, however many there were. */
  function renew(lane: WrittenLane): void {
    const { settled, touched } = lane.take();
    pending.remove(settled.map(({ write }) => write));
    const done = settled.flatMap(({ write, reply }) => ('ok' in reply ? [{ write, done: reply.ok }] : []));
    if (done.length > 0) {
      const overlay = overlayOf(done);
      void cache.revise((result) => {
        const value = overlay(result, result.value);
        return value === result.value ? result : { ...result, value };
      });
    }
    for (const read of watchers.watched(dependentOn(touched))) {
      if (!pushKept(read) && settled.length > 0) fetchRead(read);
    }
    const changed = settled.filter(({ reply }) => 'ok' in reply || isUnknown(reply.error));
    const changes = distinct(changed.flatMap((one) => one.changes));
    if (changes.length > 0) tabs.tell({ changes });
    const marked = changes.length > 0 ? outdate(changes, 'here') : undefined;
    for (const { resolve } of settled) resolve(marked);
    lane.due.push(...changes);
    askWhenDone(lane);
  }

  /** What is watched is asked again once for writes that end one after the other, but a second after the first at the latest. */
  function askWhenDone(lane: WrittenLane): void {
    if (lane.due.length === 0) return;
    if (pending.has(lane.scope)) {
      lane.timer ??= setTimeout(ask, longestDelayMs, lane);
    } else ask(lane);
  }
  function ask(lane: WrittenLane): void {
    clearTimeout(lane.timer);
    lane.timer = undefined;
    const { due } = lane;
    lane.due = [];
    askAgain(distinct(due));
  }

  function pushKept(read: Read): boolean {
    const kept = keptResult(read);
    if (kept) watchers.push(read.key, kept);
    return kept !== undefined;
  }

  return {
    over: pending.over,
    async write({ scope, request, session, sent }, { write: said, signal }) {
      const write = { id: randomNonce(clock), ...said };
      const settle = pend({ id: String(write.id), scope, request, atMs: clock.now() });
      const reply = await queue.send(session, sent, { isWrite: true, write, signal });
      await settle(reply);
      if ('error' in reply) onRollback(session, { ...sent, error: reply.error });
      return reply;
    },
    pend,
    openOutbox: (setting) => openOutbox({ ...setting, pend }),
    invalidate,
    tell: tabs.tell,
    forget: pending.forget,
  };
}

const longestDelayMs = 1_000; // of the machine: it only gathers

function dependentOn(changes: readonly Change[]) {
  return ({ scope, request }: Asked): boolean => changes.some((change) => dependsOn(request, scope.app, change));
}

// Given up, or failed between page and service.
function isUnknown({ code }: WireError): boolean {
  return code === 499 || code === 502 || code === 503 || code === 504;
}
