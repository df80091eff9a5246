import { type Clock, type Reply, type ResourceRequest, SocialError } from '@gantry/wire';
import { aborted } from '../calls/failures.ts';
import { laneOf } from '../calls/scope.ts';
import type { Session } from '../calls/session.ts';
import type { OutboxStorage } from '../storage.ts';
import { type Entry, isEntry, reportOf } from './entry.ts';
import { createEntryStates, type EntryStatesOptions } from './entry-states.ts';
import { openEntryStore } from './entry-store.ts';
import { createLanes } from './lanes.ts';
import { createNewEntries } from './new-entry.ts';
import type { AddOptions, Outbox, OutboxChannel } from './outbox.ts';
import { backOffAfterOther } from './repetition.ts';
import { createSending, type SendingOptions } from './sending.ts';

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
  let viewerNow: string | null = null;
  const broadcast = (entry: Entry) => channel?.postMessage(entry);
  const states = createEntryStates({ store, clock, broadcast, report, show });
  const entries = createNewEntries({ store, clock });
  const lanes = createLanes((viewer) => viewer === viewerNow);
  const pump = createSending({ queue, store, states, clock, sessionFor, exclusive });

  function add(session: Session, request: ResourceRequest, { write, signal, onQueued }: AddOptions): Promise<Reply> {
    const { scope } = session;
    const { id, offline, queue: queues } = write;
    if (signal?.aborted && isTakenBack(signal.reason)) return Promise.resolve(aborted); // while the outbox was fetched
    const lane = lanes.of(scope);
    const known = entries.earlier(scope, request, id);
    if (known !== undefined && !('key' in known)) return Promise.resolve(known);
    const entry = known ?? entries.create(scope, request, { id, queues: queues === true });
    const { key } = entry;
    const own = states.own.get(key) ?? {
      session,
      failsOffline: offline === 'fail',
      controller: new AbortController(),
      onQueued,
      callers: [],
    };
    states.own.set(key, own);
    if (known === undefined) void states.keep(entry);
    else onQueued?.();
    return new Promise((resolve) => {
      own.callers.push(resolve);
      signal?.addEventListener('abort', () => giveUp(key, signal.reason), { once: true });
      lane.isPaused = false;
      lane.retryAtMs = 0; // the member is present, and so may the site be
      pump(lane);
    });
  }

  function giveUp(key: string, reason: unknown): void {
    const entry = store.get(key);
    if (entry?.done !== undefined || !isTakenBack(reason)) return;
    states.own.get(key)?.controller.abort();
    if (entry?.waits && !lanes.of(entry.scope).flight?.keys.has(key)) states.drop(entry, aborted);
  }

  function adopt(entry: Entry): void {
    if (!states.adopt(entry, viewerNow)) return;
    const lane = lanes.of(entry.scope);
    if (entry.done === undefined) backOffAfterOther(lane, clock.now());
    pump(lane);
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
      const here = store.lane(laneOf(scope)).filter((entry) => entry.scope.owner === scope.owner);
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
        lanes.of(entry.scope);
        states.show(entry, viewer);
        // A done write waits for no page, so it need not lie where another member looks.
        if (entry.done !== undefined && entry.scope.viewer !== viewer) store.forget(entry);
      }
      for (const lane of lanes.all()) {
        lane.isPaused = lane.viewer !== viewer;
        lane.retryAtMs = 0;
        pump(lane);
      }
    },
  };
}

/** True if the app gave the write up; false if its document ended. */
function isTakenBack(reason: unknown): boolean {
  return !(reason instanceof SocialError) || reason.code === 'ABORTED';
}
