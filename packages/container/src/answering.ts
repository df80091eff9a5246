import type { Clock, Instance, InstanceAnswer, InstanceRequest } from '@gantry/wire';
import { type Answers, createAnswers } from './answers.ts';
import { createCallQueue } from './call-queue.ts';
import type { ProxyClient } from './proxy-client.ts';
import { createResultCache } from './result-cache.ts';
import type { Session } from './session.ts';
import { type ContainerStorage, createIdbStorage } from './storage.ts';
import type { UpkeepOptions } from './upkeep.ts';
import { createWrites, outboxMark, type Writes } from './writes.ts';

/** Makes what answers the calls of all gadgets of a page. */
export function createAnswering(options: {
  readonly client: ProxyClient;
  /** The browser's own by default. */
  readonly storage: ContainerStorage | undefined;
  readonly clock: Clock;
  readonly page: UpkeepOptions;
  readonly onViewerChanged: (noticedBy: Session) => void;
  readonly onReplaced: (noticedBy: Session) => void;
  /** Of the gadgets that are mounted. */
  readonly sessions: () => Iterable<Session>;
  readonly open: (request: InstanceRequest) => Promise<InstanceAnswer>;
  readonly begin: (request: InstanceRequest, instance: Instance) => Session;
}): Answering {
  const { client, storage, clock, page, onViewerChanged, onReplaced } = options;
  const cache = createResultCache({ storage: storage?.results ?? createIdbStorage(), clock });
  const queue = createCallQueue({ client, clock, onViewerChanged, onReplaced });
  const writes = createWrites(queue, async () =>
    (await answers.upkeep()).openOutbox({
      queue,
      clock,
      storage,
      mounted: options.sessions,
      open: options.open,
      begin: options.begin,
    }),
  );
  const answers = createAnswers({ cache, queue: writes, clock, page });
  const known = hasWritesOfEarlierPages(storage) ? writes.load() : undefined; // an app learns of them with its welcome
  return { ...answers, writes, restored: Promise.all([known, cache.restored]) };
}

/** What the page asks of its answers, and of what it wrote. */
export interface Answering extends Answers {
  readonly writes: Writes;
  /** Resolves when what earlier pages kept is here, or the storage has had time enough. Never rejects. */
  readonly restored: Promise<unknown>;
}

function hasWritesOfEarlierPages(storage: ContainerStorage | undefined): boolean {
  try {
    return (storage ?? globalThis).localStorage.getItem(outboxMark) !== null;
  } catch {
    return false; // denied, as IndexedDB will be
  }
}
