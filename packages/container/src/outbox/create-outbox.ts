import { type Reply, type ResourceRequest, SocialError } from '@gantry/wire';
import type { Clock } from '@gantry/wire/runtime';
import { aborted } from '../calls/failures.ts';
import { orderingKeyOf, type Scope } from '../calls/scope.ts';
import type { Session } from '../calls/session.ts';
import type { OutboxStorage } from '../storage.ts';
import { type Entry, isEntry, reportOf } from './entry.ts';
import { createEntryStates, type EntryStatesOptions } from './entry-states.ts';
import { openEntryStore } from './entry-store.ts';
import { findEarlier, newEntry } from './new-entry.ts';
import type { AddOptions, Outbox, OutboxChannel } from './outbox.ts';
import { backOffAfterOther } from './retry.ts';
import { createSending, type SendingOptions } from './sending.ts';
import type { WriteQueue } from './write-queue.ts';

export interface OutboxOptions
  extends Pick<SendingOptions, 'queue' | 'sessionFor' | 'exclusive'>,
    Pick<EntryStatesOptions, 'report' | 'show'> {
  readonly storage: OutboxStorage;
  /** Absent where no other tab has the same storage. */
  readonly channel: OutboxChannel | undefined;
  readonly clock: Clock;
  /** Notes if a later page has to look for writes at once. */
  readonly mark: (isFilled: boolean) => void;
}

const shownReports = 20;

/** Opens the outbox with the writes of earlier pages. Never rejects. */
export async function createOutbox(options: OutboxOptions): Promise<Outbox> {
  const { queue, storage, channel, sessionFor, exclusive, report, show, clock, mark } = options;
  const store = await openEntryStore({ storage, clock, mark });
  const queues = new Map<string, WriteQueue>();
  let viewerNow: string | null = null;
  let count = 0;
  const broadcast = (entry: Entry) => channel?.postMessage(entry);
  const states = createEntryStates({ store, clock, broadcast, report, show });
  const sendDue = createSending({ queue, store, states, clock, sessionFor, exclusive });

  function queueOf(scope: Scope): WriteQueue {
    const orderingKey = orderingKeyOf(scope);
    const { viewer } = scope;
    const prior = queues.get(orderingKey);
    const isPaused = viewer !== viewerNow;
    const writes = prior ?? { orderingKey, viewer, isPaused, batch: undefined, tries: 0, retryAtMs: 0, stopTimer() {} };
    queues.set(orderingKey, writes);
    return writes;
  }

  function add(session: Session, request: ResourceRequest, { write, signal, onQueued }: AddOptions): Promise<Reply> {
    const { id, offline, queue: queues } = write;
    const draft = { scope: session.scope, request, id, queues: queues === true };
    if (signal?.aborted && isTakenBack(signal.reason)) return Promise.resolve(aborted); // aborted while the outbox loaded
    const earlier = findEarlier(store, draft);
    if (earlier !== undefined && !('key' in earlier)) return Promise.resolve(earlier);
    count += 1;
    const entry = earlier ?? newEntry(draft, { store, clock, count });
    const { key } = entry;
    const ownWrite = states.own.get(key) ?? {
      session,
      failsOffline: offline === 'fail',
      controller: new AbortController(),
      onQueued,
      callers: [],
    };
    states.own.set(key, ownWrite);
    if (earlier === undefined) void states.keep(entry);
    else onQueued?.();
    return new Promise((resolve) => {
      ownWrite.callers.push(resolve);
      signal?.addEventListener('abort', () => giveUp(key, signal.reason), { once: true });
      const writes = queueOf(session.scope);
      writes.isPaused = false;
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

  return {
    add,
    reports(scope) {
      const here = store.inOrder(orderingKeyOf(scope)).filter((entry) => entry.scope.owner === scope.owner);
      return here.slice(-shownReports).map(reportOf);
    },
    async clear() {
      clear();
      channel?.postMessage('clear');
      await store.emptied();
    },
    wake(viewer = viewerNow) {
      viewerNow = viewer;
      for (const entry of store.all()) {
        queueOf(entry.scope);
        states.show(entry, viewer);
        // A done write waits for no page, so it need not lie where another member looks.
        if (entry.done !== undefined && entry.scope.viewer !== viewer) store.forget(entry);
      }
      for (const writes of queues.values()) {
        writes.isPaused = writes.viewer !== viewer;
        writes.retryAtMs = 0;
        sendDue(writes);
      }
    },
  };
}

/** True if the app gave the write up; false if its document ended. */
function isTakenBack(reason: unknown): boolean {
  return !(reason instanceof SocialError) || reason.code === 'ABORTED';
}
