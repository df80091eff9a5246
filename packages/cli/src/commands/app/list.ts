import { parseArgs } from 'node:util';
import { listRegistered } from '@gantry/server';
import type { Output } from '../../terminal/output.ts';
import { table } from '../../terminal/output.ts';
import { appFlags, withApps } from './app-stores.ts';
import { timesOf } from './app-times.ts';

/** `gantry app list` */
export async function list(args: readonly string[], env: NodeJS.ProcessEnv, output: Output): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: appFlags });
  await withApps({ values, env, output }, async ({ stores }) => {
    const apps = await listRegistered(stores);
    if (values.json) {
      const shown = apps.map((app) => {
        const { id, source, manifest, trusted, state, members } = app;
        return { id, source, manifest, trusted, state, members, ...timesOf(app) };
      });
      return output.out(JSON.stringify(shown));
    }
    const rows = apps.map(({ id, source, manifest, trusted, state, members }) => [
      id,
      manifest.name,
      state,
      trusted ? 'trusted' : 'asks',
      String(members),
      source.kind === 'served' ? source.folder : source.url,
    ]);
    output.out(
      table(['id', 'name', 'state', 'consent', 'members', 'from'], rows, 'No apps yet: gantry app add --help'),
    );
  });
}
