import type { KnownApp, Manifest } from '@gantry/proxy';
import { listRegistered, placeText, versionLabel } from '@gantry/server';
import { withFlags } from '../../command.ts';
import { table } from '../../terminal/output.ts';
import { sizeText } from '../../terminal/size-text.ts';
import { appFlags, withApps } from './app-stores.ts';

export const list = withFlags({ options: appFlags, allowPositionals: false }, async (line) => {
  await withApps(line, async ({ stores, setup }) => {
    const apps = await listRegistered(stores);
    const facts = apps.map((app) => {
      const { id, source, manifest, trusted, state, members, bytes } = app;
      return { id, source, manifest, trusted, state, members, bytes, ...timesOf(app) };
    });
    const rows = apps.map((app) => [
      app.id,
      app.manifest.name,
      versionText(app),
      app.state,
      app.trusted ? 'trusted' : 'asks',
      String(app.members),
      placeText(app.source),
    ]);
    const headings = ['id', 'name', 'version', 'state', 'consent', 'members', 'from'];
    line.print(facts, table(headings, rows, `No apps yet in ${setup.data}: gantry app add --help`));
  });
});

/** Names the version that members get, with its size, or says that there is none. */
export function versionText({
  source,
  manifest,
  bytes = 0,
}: Pick<KnownApp, 'source'> & { readonly manifest: Manifest; readonly bytes?: number }): string {
  if (source.kind === 'stored') return `${versionLabel({ digest: source.version, manifest })}, ${sizeText(bytes)}`;
  const place = source.kind === 'served' ? 'live folder' : 'its own server';
  return manifest.version === undefined ? place : `${manifest.version} (${place})`;
}

/** Returns the times at which an app was registered, updated and removed, as ISO 8601, if known. */
export function timesOf(app: Pick<KnownApp, 'registeredAtMs' | 'updatedAtMs' | 'removedAtMs'>) {
  const iso = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms).toISOString());
  const updatedAtMs = app.updatedAtMs === app.registeredAtMs ? undefined : app.updatedAtMs;
  return { registeredAt: iso(app.registeredAtMs), updatedAt: iso(updatedAtMs), removedAt: iso(app.removedAtMs) };
}
