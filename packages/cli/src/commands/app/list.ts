import type { KnownApp } from '@gantry/proxy';
import { listRegistered, placeText } from '@gantry/server';
import { withFlags } from '../../command.ts';
import { table } from '../../terminal/output.ts';
import { appFlags, withApps } from './app-stores.ts';

export const list = withFlags({ options: appFlags, allowPositionals: false }, async (line) => {
  await withApps(line, async ({ stores, setup }) => {
    const apps = await listRegistered(stores);
    const facts = apps.map((app) => {
      const { id, source, manifest, trusted, state, members } = app;
      return { id, source, manifest, trusted, state, members, ...timesOf(app) };
    });
    const rows = apps.map(({ id, source, manifest, trusted, state, members }) => [
      id,
      manifest.name,
      state,
      trusted ? 'trusted' : 'asks',
      String(members),
      placeText(source),
    ]);
    const headings = ['id', 'name', 'state', 'consent', 'members', 'from'];
    line.print(facts, table(headings, rows, `No apps yet in ${setup.data}: gantry app add --help`));
  });
});

/** Returns the times at which an app was registered, updated and removed, as ISO 8601, if known. */
export function timesOf(app: Pick<KnownApp, 'registeredAtMs' | 'updatedAtMs' | 'removedAtMs'>) {
  const iso = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms).toISOString());
  return { registeredAt: iso(app.registeredAtMs), updatedAt: iso(app.updatedAtMs), removedAt: iso(app.removedAtMs) };
}
