import { createAppRegistry } from '@gantry/proxy';
import { databaseKind, siteApps, UsageError } from '@gantry/server';
import { isInactive } from '@gantry/service';
import { sql } from '@gantry/store';
import type { CommandLine } from '../../command.ts';
import { openSite, type siteFlags, siteOf } from '../../registry/open-client.ts';
import type { RegistryClient } from '../../registry/site-client.ts';
import { localActor } from './actor.ts';
import { type AppCommandContext, type appFlags, withApps } from './app-stores.ts';

type Line = Pick<CommandLine<typeof appFlags & typeof siteFlags>, 'values' | 'env'>;

/**
 * Runs work with the registry of the site that a command line names, else with that of the data
 * folder on this machine, which needs no key.
 *
 * @param id The app that the command names.
 * @throws UsageError on this machine without an id.
 */
export async function withRegistry(
  line: Line,
  id: string | undefined,
  work: (client: RegistryClient) => Promise<void>,
): Promise<void> {
  if (siteOf(line) !== undefined) return work(await openSite(line));
  if (id === undefined) throw new UsageError('Name the id of an app, or the site with --site https://…');
  const { site: _, ...values } = line.values;
  await withApps({ values, env: line.env }, async (context) => work(await localClient(context)));
}

async function localClient({ stores }: AppCommandContext): Promise<RegistryClient> {
  const { db } = stores;
  const isSite = (await databaseKind(db)) === 'site';
  const registry = createAppRegistry({
    ...{ db, now: Date.now, publicUrl: '', site: siteApps(stores, { issuesKeys: isSite }) },
    ...(isSite && { paused: isInactive(sql`app_registrations.id`) }),
  });
  const by = localActor();
  return {
    get: async <Answer>(path: string) => (await registry.ask({ method: 'GET', path, by })) as Answer,
    post: async <Answer>(path: string, body: object) =>
      (await registry.ask({ method: 'POST', path, body, by })) as Answer,
    put: async () => {
      throw new Error('Chunks are sent to sites only.');
    },
  };
}
