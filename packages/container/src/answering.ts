import { type Answers, createAnswers } from './answers.ts';
import { createCallQueue } from './call-queue.ts';
import type { ProxyClient } from './proxy-client.ts';
import { createResultCache } from './result-cache.ts';
import type { Session } from './session.ts';
import { createIdbStorage, type ResultStorage } from './storage.ts';
import type { UpkeepOptions } from './upkeep.ts';

// Fetched beside the first POST for instances: no frame needs it before that is answered.

/**
 * Makes what answers the calls of all gadgets of a page. Resolves when results of earlier pages are here, or the storage
 * has had time enough.
 */
export async function createAnswering(options: {
  readonly client: ProxyClient;
  readonly storage?: ResultStorage | undefined;
  readonly now: () => number;
  readonly page: UpkeepOptions;
  readonly onViewerChanged: (noticedBy: Session) => void;
}): Promise<Answers> {
  const { client, storage = createIdbStorage(), now, page, onViewerChanged } = options;
  const cache = createResultCache({ storage, now });
  const queue = createCallQueue({ client, onViewerChanged });
  await cache.restored;
  return createAnswers({ cache, queue, now, page });
}
