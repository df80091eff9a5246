import type { Instance, InstanceAnswer, InstanceRequest } from '@gantry/wire';
import { type Answers, createAnswers } from './answers.ts';
import { createCallQueue } from './call-queue.ts';
import type { ProxyClient } from './proxy-client.ts';
import { createResultCache } from './result-cache.ts';
import type { Session } from './session.ts';
import { createIdbStorage, type ResultStorage } from './storage.ts';
import type { UpkeepOptions } from './upkeep.ts';
import { createWrites, outboxMark, type Writes } from './writes.ts';

/** Makes what answers the calls of all gadgets of a page. */
export function createAnswering(options: {
  readonly client: ProxyClient;
  readonly storage?: ResultStorage | undefined;
  readonly now: () => number;
  readonly page: UpkeepOptions;
  readonly onViewerChanged: (noticedBy: Session) => void;
  readonly onReplaced: (noticedBy: Session) => void;
  /** Of the gadgets that are mounted. */
  readonly sessions: () => Iterable<Session>;
  readonly open: (request: InstanceRequest) => Promise<InstanceAnswer>;
  readonly begin: (request: InstanceRequest, instance: Instance) => Session;
}): Answering {
  const { client, storage = createIdbStorage(), now, page, onViewerChanged, onReplaced } = options;
  const cache = createResultCache({ storage, now });
  const queue = createCallQueue({ client, onViewerChanged, onReplaced });
  const writes = createWrites(queue, async () =>
    (await answers.upkeep()).openOutbox({
      queue,
      now,
      mounted: options.sessions,
      open: options.open,
      begin: options.begin,
    }),
  );
  const answers = createAnswers({ cache, queue: writes, now, page });
  const known = hasWritesOfEarlierPages() ? writes.load() : undefined; // an app learns of them with its welcome
  return { ...answers, writes, restored: Promise.all([known, cache.restored]) };
}

/** What the page asks of its answers, and of what it wrote. */
export interface Answering extends Answers {
  readonly writes: Writes;
  /** Resolves when what earlier pages kept is here, or the storage has had time enough. Never rejects. */
  readonly restored: Promise<unknown>;
}

function hasWritesOfEarlierPages(): boolean {
  try {
    return localStorage.getItem(outboxMark) !== null;
  } catch {
    return false; // denied, as IndexedDB will be
  }
}
