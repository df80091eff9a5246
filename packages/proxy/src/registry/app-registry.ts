import type { Statement } from '@gantry/store';
import type { HttpResponse } from '@gantry/wire';
import type { Ports } from '../ports.ts';
import { auditEntry } from '../versions/audit.ts';
import { createChunkStore } from '../versions/chunk-store.ts';
import { createDecisions } from './decide.ts';
import { createDelivery } from './deliver.ts';
import { createVersionReads } from './read-versions.ts';
import { createRegistry } from './registry.ts';
import type { SiteApps } from './site-apps.ts';

export interface AppRegistryOptions extends Pick<Ports, 'db' | 'now'> {
  readonly publicUrl: string;
  /** Condition over `app_registrations` for a paused app. Default: its own column. */
  readonly paused?: Statement | undefined;
  readonly site: SiteApps;
}

/** Puts the registry of a site's apps together. */
export function createAppRegistry({ db, now, publicUrl, paused, site }: AppRegistryOptions): {
  readonly routes: readonly string[];
  answer(request: Request): Promise<HttpResponse>;
} {
  const reads = createVersionReads({ db, paused });
  const { presentApp: _, report: __, ...readings } = reads;
  return createRegistry({
    ...{ db, now, publicUrl },
    handlers: {
      ...readings,
      ...createDelivery({ db, chunks: createChunkStore({ db, now }), now, reads, site }),
      ...createDecisions({ db, now, reads, site }),
    },
    async refused({ app, by, action, version: to, detail }) {
      await db.query(
        auditEntry({ atMs: now(), actor: by, app: app.slice(0, 64), action, to, outcome: 'refused', detail }),
      );
    },
  });
}
