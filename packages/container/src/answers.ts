import type { AppRequest, Leases } from '@gantry/bridge';
import type { Change, Reply } from '@gantry/wire';
import type { Clock } from '@gantry/wire/runtime';
import { createCallQueue } from './calls/call-queue.ts';
import type { ProxyClient } from './calls/proxy-client.ts';
import type { Asked, Scope } from './calls/scope.ts';
import type { Session } from './calls/session.ts';
import type { Sessions } from './calls/sessions.ts';
import { createWriteGate } from './calls/write-gate.ts';
import type { OpenCall } from './gadget.ts';
import { type Lazy, lazy } from './lazy.ts';
import { hasEarlierWrites } from './outbox/outbox.ts';
import { createWrites } from './outbox/writes.ts';
import type { createFreshness, Freshness, FreshnessOptions } from './results/freshness.ts';
import { createIdbStorage } from './results/idb-storage.ts';
import type { ParseRequest } from './results/parse-request.ts';
import { createReads } from './results/reads.ts';
import { type CacheOptions, createResultCache } from './results/result-cache.ts';
import type { TabMessage } from './results/tabs.ts';
import type { ContainerStorage } from './storage.ts';

/** Code that knows the operations, and what keeps their results right. */
export interface AnswerPart {
  readonly createFreshness: typeof createFreshness;
  readonly parse: ParseRequest;
  readonly isUsable: Awaited<ReturnType<CacheOptions['fetchCheck']>>;
}

/** @param options.storage The browser's own by default. */
export function createAnswers(options: {
  readonly client: ProxyClient;
  readonly storage: ContainerStorage | undefined;
  readonly clock: Clock;
  readonly sessions: Sessions;
  /** Fetched before a gadget is mounted. */
  readonly part: Lazy<AnswerPart>;
  readonly page: FreshnessOptions;
}) {
  const { client, storage, clock, sessions, part, page } = options;
  const onChange = (key: string): void => freshness.value?.leases.end(key);
  const cache = createResultCache({
    ...{ clock, onChange },
    storage: storage?.results ?? createIdbStorage(),
    fetchCheck: async () => (await part.load()).isUsable,
  });
  const queue = createCallQueue({ client, clock, sessions });
  const gate = createWriteGate();
  const overlay: Freshness['over'] = (read, value) => (freshness.value ? freshness.value.over(read, value) : value);
  const reads = createReads({ cache, queue, gate, clock, overlay });
  const parse: ParseRequest = (...args) => (part.value as AnswerPart).parse(...args);
  const freshness = lazy(async () => (await part.load()).createFreshness({ cache, reads, parse }, page));
  const writes = createWrites({
    ...{ queue, gate, clock, sessions, freshness },
    async fetchOutbox() {
      const { pend } = await freshness.load();
      return (await import('./outbox/open-outbox.ts')).openOutbox({ queue, pend, clock, storage, sessions });
    },
  });
  // Part of the welcome. Not before the page has asked for its gadgets: it waits for localStorage.
  const earlierWrites = part.load().then(
    () => (hasEarlierWrites(storage) ? writes.load() : undefined),
    () => undefined, // without that part, no app starts
  );

  return {
    writes,
    /** Fetches what leases are granted with, which an app needs at its hello. */
    prepare: (): void => freshness.use(() => {}),
    /** Resolves when results and writes of earlier pages are here, or time is up. Never rejects. */
    restored: Promise.all([earlierWrites, cache.restored]),
    /** Returns a value, not a promise, where the reply is known. Never throws and never rejects. */
    answer(session: Session, request: AppRequest, open?: OpenCall): Reply | Promise<Reply> {
      const parsed = parse(session, request);
      if ('error' in parsed) return parsed;
      if ('key' in parsed) return reads.answer(parsed, open);
      open?.onDecision?.('queued');
      return writes.send(parsed, { write: request.write, signal: open?.signal });
    },
    /** Pushes each result that differs from the one before. Returns the end of it. */
    watch(session: Session, request: AppRequest, push: (reply: Reply) => void): () => void {
      const parsed = parse(session, request);
      return 'key' in parsed ? reads.watch(parsed, push) : () => undefined; // `answer` says why
    },
    /** Opens the leases of one load of an app. */
    leases(session: Session, post: (ended: readonly number[]) => void): Leases {
      let leases: Leases | undefined;
      return {
        grant(...granted) {
          leases ??= freshness.value?.leases.open(session, post);
          return leases?.grant(...granted);
        },
        stop: () => leases?.stop(),
      };
    },
    /** Ends all leases, after what an app may read has changed. */
    endLeases: (): void => freshness.value?.leases.endAll(),
    /** Makes results stale that another page or member changed. */
    invalidate: (changes: readonly Change[]): void => freshness.use(({ invalidate }) => invalidate(changes)),
    broadcast: (message: TabMessage): void => freshness.use(({ broadcast }) => broadcast(message)),
    /**
     * Forgets what is not this scope's: of other viewers, and of the app from before a revocation
     * or a replacement. Without a scope, forgets all.
     */
    async purge(keep?: Scope): Promise<void> {
      const isOther = ({ scope: { viewer, app, since, upstream } }: Asked) =>
        keep === undefined ||
        viewer !== keep.viewer ||
        (app === keep.app && (since !== keep.since || upstream !== keep.upstream));
      reads.outdate(isOther);
      freshness.value?.forget(isOther);
      await (keep === undefined ? cache.clear() : cache.drop(isOther));
    },
  };
}
