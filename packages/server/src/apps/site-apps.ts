import { createChunkStore, manifestOfList, type SiteApps } from '@gantry/proxy';
import { SocialError } from '@gantry/wire';
import type { Stores } from '../data/stores.ts';
import { registerApp } from './add-app.ts';
import { setPaused } from './app-lifecycle.ts';
import { approveApp } from './approve-app.ts';
import { previewApp } from './preview-app.ts';
import { rollbackApp } from './rollback.ts';

/** Returns the changes of a site's apps, for its registry. */
export function siteApps(
  stores: Stores,
  { issuesKeys, now = Date.now }: Pick<SiteApps, 'issuesKeys'> & { readonly now?: () => number },
): SiteApps {
  return {
    issuesKeys,
    async add({ app: id, list, ...more }) {
      const manifest = await manifestOfList(list, createChunkStore({ ...stores, now }).read);
      const { done } = await registerApp(stores, { ...more, id, manifest, files: { list }, mode: 'update', now });
      return { done: done === 'replaced' ? 'registered' : done };
    },
    approve: ({ app, ...decision }) => approveApp(stores, app, { ...decision, now }),
    async rollBack({ app, ...change }) {
      const { to } = await rollbackApp(stores, app, { ...change, now });
      return { version: to.digest };
    },
    async offer({ app, version, members, by }) {
      await previewApp(stores, app, { version, members, by, now });
    },
    async setPaused({ app, isPaused, by }) {
      if (await setPaused(stores, app, isPaused, { by, now })) return;
      throw new SocialError('NOT_FOUND', `There is no app ${JSON.stringify(app)}.`);
    },
  };
}
