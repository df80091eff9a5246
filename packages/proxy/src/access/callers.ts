import { type Database, type Statement, sql } from '@gantry/store';
import { LRUCache } from 'lru-cache';
import { type Consumer, consumerOf, findSealedApps, type SealedRow } from '../apps/registrations.ts';
import {
  type Access,
  type AccessQuery,
  accessOf,
  type DescribedApp,
  describeApp,
  findGrantRows,
  type GrantColumns,
} from './access.ts';

/** An app that sends calls, with its permissions and the consumer that signs for it. */
export interface Caller {
  readonly access: Access;
  readonly consumer: Consumer;
}

/** The sealed secret identifies the registration: each has its own. */
type SealedGrantRow = Pick<SealedRow, 'id' | 'consumer_secret'> & GrantColumns;

interface CachedApp extends DescribedApp {
  readonly consumer: Consumer;
  readonly sealed: string;
}

/**
 * Makes the function that finds the callers of a request, in one statement, since it precedes every
 * call. Each request queries the database, so that removed apps and revoked grants take effect at
 * once in all processes. Parsed registrations are cached.
 */
export function createCallerLookup(
  db: Database,
  secretKey: Uint8Array,
  paused?: Statement,
): (query: Omit<AccessQuery, 'paused'>) => Promise<ReadonlyMap<string, Caller>> {
  const cache = new LRUCache<string, CachedApp>({ max: 2_000 });

  return async (query) => {
    const byApp = await findGrantRows<SealedGrantRow>(db, sql`id, consumer_secret`, { ...query, paused });
    const apps = new Map<string, CachedApp>();
    for (const [id, [{ consumer_secret: sealed }]] of byApp) {
      const cached = cache.get(id);
      if (cached?.sealed === sealed) apps.set(id, cached);
    }
    const others = [...byApp.keys()].filter((id) => !apps.has(id));
    for (const row of others.length > 0 ? await findSealedApps(db, others) : []) {
      const app = { ...describeApp(row), consumer: consumerOf(secretKey, row), sealed: row.consumer_secret };
      cache.set(row.id, app);
      apps.set(row.id, app);
    }
    return new Map(
      [...apps].map(([id, { consumer, ...described }]) => {
        return [id, { access: accessOf(described, byApp.get(id) ?? [], query.viewer !== undefined), consumer }];
      }),
    );
  };
}
