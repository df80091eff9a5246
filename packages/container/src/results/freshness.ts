import { type Change, changesOf, dependsOn, type Reply, type WireError } from '@gantry/wire';
import { type Attention, pageAttention } from '../attention.ts';
import type { Asked } from '../calls/scope.ts';
import { overlayOf, type Pend, type PendingWrite } from './optimistic.ts';
import { createPendingWrites } from './pending-writes.ts';
import type { Reads } from './reads.ts';
import type { Outdated, ResultCache } from './result-cache.ts';
import { createTabs, openTabChannel, type TabChannel, type TabMessage } from './tabs.ts';
import { createWrittenLanes, distinct, type WrittenLane } from './written-lanes.ts';

/** Keeps results right over writes of this page, of other tabs and of other members. */
export interface Freshness {
  /** Returns the result that a read shows: the site's, with the pending writes over it. */
  over(read: Asked, base: unknown): unknown;
  readonly pend: Pend;
  /** Makes results stale that depend on changes made elsewhere; asks again for watched ones. */
  invalidate(changes: readonly Change[]): void;
  /** Sends a message to the other tabs. */
  broadcast(message: TabMessage): void;
  /** Forgets pending writes. */
  forget(matches: (write: Asked) => boolean): void;
}

/** The page around results. Options with a default are the browser's own. */
export interface FreshnessOptions {
  /** Absolute URL of `/gantry/`. */
  readonly base: URL;
  readonly attention?: Attention | undefined;
  readonly channel?: TabChannel | undefined;
  /** Exchanges no messages with other pages. */
  readonly isAlone: boolean;
  /** Receives messages of another tab about members and permissions. */
  readonly onMessage: (message: Exclude<TabMessage, { readonly changes: unknown }>) => void;
}

const longestDelayMs = 1_000; // of the machine: it only gathers

export function createFreshness(
  { cache, reads }: { readonly cache: ResultCache; readonly reads: Reads },
  { base, attention = pageAttention(), isAlone, onMessage, ...options }: FreshnessOptions,
): Freshness {
  const channel = options.channel ?? (isAlone ? undefined : openTabChannel(base));
  const pending = createPendingWrites();
  const laneOf = createWrittenLanes(renew);
  const tabs = createTabs(channel, (message) => {
    if ('changes' in message) invalidate(message.changes);
    else onMessage(message);
  });
  attention.onReturn(() => {
    for (const read of reads.watched(() => true)) {
      const kept = reads.kept(read);
      if (kept === undefined || kept.meta.stale) void reads.fetch(read);
    }
  });

  function mark(changes: readonly Change[], outdated: Outdated): Promise<void> {
    const isStale = dependentOn(changes);
    return cache.revise((result) =>
      result.outdated === 'here' || result.outdated === outdated || !isStale(result) ? result : { ...result, outdated },
    );
  }
  function outdate(changes: readonly Change[], by: Outdated): Promise<void> {
    reads.outdate(dependentOn(changes));
    return mark(changes, by);
  }
  function askAgain(changes: readonly Change[]): void {
    if (attention.isHidden()) return; // `onReturn` does it
    for (const read of reads.watched(dependentOn(changes))) void reads.fetch(read);
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
      // Before the reply, since the next page must not find the old result fresh.
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

  /** Shows the outcome of a lane's writes since the last time: each read once for all of them. */
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
    for (const read of reads.watched(dependentOn(touched))) {
      if (!reads.pushKept(read) && settled.length > 0) void reads.fetch(read);
    }
    const changed = settled.filter(({ reply }) => 'ok' in reply || isUnknown(reply.error));
    const changes = distinct(changed.flatMap((one) => one.changes));
    if (changes.length > 0) tabs.broadcast({ changes });
    const marked = changes.length > 0 ? outdate(changes, 'here') : undefined;
    for (const { resolve } of settled) resolve(marked);
    lane.due.push(...changes);
    askWhenDone(lane);
  }

  /** Asks once for writes that end one after the other, at the latest a second after the first. */
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

  return { over: pending.over, pend, invalidate, broadcast: tabs.broadcast, forget: pending.forget };
}

function dependentOn(changes: readonly Change[]) {
  return ({ scope, request }: Asked): boolean => changes.some((change) => dependsOn(request, scope.app, change));
}

// Given up, or failed between page and service.
function isUnknown({ code }: WireError): boolean {
  return code === 499 || code === 502 || code === 503 || code === 504;
}
