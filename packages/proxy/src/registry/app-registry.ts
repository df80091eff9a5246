import type { Statement } from '@gantry/store';
import { createRateLimit, type TakeRate } from '@gantry/wire/runtime';
import type { Ports } from '../ports.ts';
import { auditEntry } from '../versions/audit.ts';
import { createChunkStore } from '../versions/chunk-store.ts';
import { createDecisions } from './decide.ts';
import { createDelivery } from './deliver.ts';
import { createVersionReads } from './read-versions.ts';
import { createRegistry } from './registry.ts';
import type { SiteApps } from './site-apps.ts';

export interface AppRegistryOptions extends Pick<Ports, 'db' | 'bucket' | 'now'> {
  /** Counts for all processes of the site. Default: this one for itself. */
  readonly takeRate?: TakeRate;
  readonly publicUrl: string;
  /** Condition over `app_registrations` for a paused app. Default: its own column. */
  readonly paused?: Statement | undefined;
  readonly site: SiteApps;
}

/** Puts the registry of a site's apps together. */
export function createAppRegistry(options: AppRegistryOptions) {
  const { db, bucket, now, publicUrl, paused, site: given, takeRate = createRateLimit(now).take } = options;
  const reads = createVersionReads({ db, paused });
  const { presentApp: _, report: __, ...readings } = reads;
  const audited = new WeakSet<object>();
  const site = notingErrors(given, audited);
  return createRegistry({
    ...{ db, now, takeRate, publicUrl },
    handlers: {
      ...readings,
      ...createDelivery({ db, chunks: createChunkStore({ db, bucket, now }), now, takeRate, reads, site }),
      ...createDecisions({ db, now, reads, site }),
    },
    async refused({ app, by, action, version: to, error }) {
      if (audited.has(error)) return;
      const refusal = { atMs: now(), actor: by, app: app.slice(0, 64), action, to, outcome: 'refused' } as const;
      await db.query(auditEntry({ ...refusal, detail: error.message }));
    },
  });
}

/** Remembers the errors of a site's changes, which have entered the audit there. */
function notingErrors(site: SiteApps, audited: WeakSet<object>): SiteApps {
  const noting =
    <Change, Done>(work: (change: Change) => Promise<Done>) =>
    (change: Change) =>
      work(change).catch((error: unknown) => {
        if (error instanceof Error) audited.add(error);
        throw error;
      });
  return {
    issuesKeys: site.issuesKeys,
    add: noting(site.add),
    approve: noting(site.approve),
    rollBack: noting(site.rollBack),
    offer: noting(site.offer),
    setPaused: noting(site.setPaused),
  };
}
