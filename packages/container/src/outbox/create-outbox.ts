import { type Reply, type ResourceRequest, SocialError } from '@gantry/wire';
import type { Clock } from '@gantry/wire/runtime';
import { aborted } from '../calls/failures.ts';
import { gadgetKeyOf, orderingKeyOf, type Scope } from '../calls/scope.ts';
import type { Session } from '../calls/session.ts';
import { createEarlierWrites } from './earlier-writes.ts';
import { type Entry, type EntryStore, isEntry, reportOf } from './entry.ts';
import { createEntryStates, type EntryStatesOptions } from './entry-states.ts';
import { type EntryStoreOptions, openEntryStore } from './entry-store.ts';
import { findEarlier, newEntry } from './new-entry.ts';
import type { AddOptions, Outbox, OutboxChannel, WaitingWrites } from './outbox.ts';
import { backOffAfterOther } from './retry.ts';
import { createSending, type SendingOptions } from './sending.ts';
import { newQueue, type WriteQueue } from './write-queue.ts';

export interface OutboxOptions
  extends Pick<SendingOptions, 'queue' | 'sessionFor' | 'exclusive'>,
    Pick<EntryStatesOptions, 'report' | 'show'>,
    Pick<EntryStoreOptions, 'storage' | 'mark' | 'onKept'> {
  /** An earlier page may have left writes. */
  readonly hasEarlier: boolean;
  /** Absent where no other tab has the same storage. */
  readonly channel: OutboxChannel | undefined;
  readonly clock: Clock;
}

/** Most reports that an app gets of writes of earlier pages, the newest. */
const shownReports = 20;

/** Opens the outbox with the writes of earlier pages, or those that come late. Never rejects. */
export async function createOutbox(options: OutboxOptions): Promise<Outbox> {
  const { queue, storage, channel, sessionFor, exclusive, report, show, clock, mark, onKept, hasEarlier } = options;
  const store = openEntryStore({ storage, clock, mark, onKept });
  const queues = new Map<string, WriteQueue>();
  let viewerNow: string | null | undefined; // undefined: the site has not said it yet
  let count = 0;
  const broadcast = (entry: Entry) => channel?.postMessage(entry);
  const states = createEntryStates({ store, clock, broadcast, report, show });
  const earlier = createEarlierWrites({
    ...{ store, clock, hasEarlier },
    onLate(found) {
      const kept = found.flatMap(({ key }) => store.get(key) ?? []); // without those that are forgotten
      for (const entry of newestOf(kept)) report(entry.scope, reportOf(entry));
      outbox.wake();
    },
  });
  const sendDue = createSending({ queue, store, states, clock, sessionFor, exclusive });

  function queueOf(scope: Scope): WriteQueue {
    const orderingKey = orderingKeyOf(scope);
    const { viewer } = scope;
    const isPaused = viewer !== viewerNow || !earlier.mayOvertake;
    const writes = queues.get(orderingKey) ?? newQueue({ orderingKey, viewer, isPaused });
    queues.set(orderingKey, writes);
    return writes;
  }

  function add(session: Session, request: ResourceRequest, { write, signal, onQueued }: AddOptions): Promise<Reply> {
    const { id, offline, queue: queues } = write;
    const draft = { scope: session.scope, request, id, queues: queues === true };
    if (signal?.aborted && isTakenBack(signal.reason)) return Promise.resolve(aborted); // aborted while the outbox loaded
    const same = findEarlier(store, draft);
    if (same !== undefined && !('key' in same)) return Promise.resolve(same);
    count += 1;
    const entry = same ?? newEntry(draft, { store, clock, count });
    const { key } = entry;
    const ownWrite = states.own.get(key) ?? {
      session,
      failsOffline: offline === 'fail',
      controller: new AbortController(),
      onQueued,
      callers: [],
    };
    states.own.set(key, ownWrite);
    if (same === undefined) void states.keep(entry);
    else onQueued?.();
    return new Promise((resolve) => {
      ownWrite.callers.push(resolve);
      signal?.addEventListener('abort', () => giveUp(key, signal.reason), { once: true });
      const writes = queueOf(session.scope);
      writes.isPaused = !earlier.mayOvertake;
      writes.retryAtMs = 0;
      sendDue(writes);
    });
  }

  function giveUp(key: string, reason: unknown): void {
    const entry = store.get(key);
    if (entry?.done !== undefined || !isTakenBack(reason)) return;
    states.own.get(key)?.controller.abort();
    if (entry?.waits && !queueOf(entry.scope).batch?.keys.has(key)) states.drop(entry, aborted);
  }

  function adopt(entry: Entry): void {
    if (!states.adopt(entry, viewerNow)) return;
    const writes = queueOf(entry.scope);
    if (entry.done === undefined) backOffAfterOther(writes, clock.now());
    sendDue(writes);
  }

  function clear(): void {
    for (const entry of store.all()) states.drop(entry, aborted);
  }

  if (channel)
    channel.onmessage = ({ data }) => {
      if (data === 'clear') clear();
      else if (isEntry(data)) adopt(data);
    };

  const outbox: Outbox = {
    add,
    reports(scope) {
      const here = store.inOrder(orderingKeyOf(scope)).filter((entry) => entry.scope.owner === scope.owner);
      return here.slice(-shownReports).map(reportOf);
    },
    waiting: (scope) => waitingOf(store, scope),
    hasUnkept: () => store.all().some((entry) => entry.waits && !store.isKept(entry)),
    keepAgain() {
      for (const entry of store.all()) void states.keep(entry);
    },
    async clear() {
      clear();
      channel?.postMessage('clear');
      await store.emptied();
    },
    wake(viewer = viewerNow) {
      viewerNow = viewer;
      void earlier.read();
      void store.keepUnkept();
      if (viewer === undefined) return;
      for (const entry of store.all()) {
        queueOf(entry.scope);
        states.show(entry, viewer);
        // A done write waits for no page, so it need not lie where another member looks.
        if (entry.done !== undefined && entry.scope.viewer !== viewer) store.forget(entry);
      }
      for (const writes of queues.values()) {
        writes.isPaused = writes.viewer !== viewer || !earlier.mayOvertake;
        writes.retryAtMs = 0;
        sendDue(writes);
      }
    },
  };

  await earlier.opened;
  return outbox;
}

/** Returns the newest entries of each gadget, in their order. */
function newestOf(entries: readonly Entry[]): readonly Entry[] {
  const counts = new Map<string, number>();
  const newest = entries.toReversed().filter(({ scope }) => {
    const gadget = gadgetKeyOf(scope);
    const count = (counts.get(gadget) ?? 0) + 1;
    counts.set(gadget, count);
    return count <= shownReports;
  });
  return newest.reverse();
}

function waitingOf(store: EntryStore, scope: Scope): WaitingWrites {
  const waiting = store
    .inOrder(orderingKeyOf(scope))
    .filter(({ waits, done, scope: { owner } }) => waits && done === undefined && owner === scope.owner);
  return { reports: waiting.map(reportOf), areKept: waiting.every(store.isKept) };
}

/** True if the app gave the write up; false if its document ended. */
function isTakenBack(reason: unknown): boolean {
  return !(reason instanceof SocialError) || reason.code === 'ABORTED';
}
