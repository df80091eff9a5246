import { parseArgs } from 'node:util';
import { dropApp, UsageError } from '@gantry/server';
import type { Output } from '../../terminal/output.ts';
import { appFlags, noSuchApp, withApps } from './app-stores.ts';

/** `gantry app remove ID` */
export async function remove(args: readonly string[], env: NodeJS.ProcessEnv, output: Output): Promise<void> {
  const { values, positionals } = parseArgs({ args: [...args], options: appFlags, allowPositionals: true });
  const [id] = positionals;
  if (!id) throw new UsageError('gantry app remove needs the id of an app.');
  await withApps({ values, env, output }, async ({ stores }) => {
    if (!(await dropApp(stores, id))) throw noSuchApp(id);
    output.out(values.json ? JSON.stringify({ removed: id }) : `Removed ${id}.`);
  });
}
