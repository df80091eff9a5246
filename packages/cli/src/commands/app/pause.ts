import { parseArgs } from 'node:util';
import { setPaused, UsageError } from '@gantry/server';
import type { Output } from '../../terminal/output.ts';
import { appFlags, noSuchApp, withApps } from './app-stores.ts';

/** `gantry app pause ID` */
export const pause = pauseCommand(
  'pause',
  (id) => `Paused ${id}. Gadgets show a card instead: gantry app resume ${id}`,
);

/** `gantry app resume ID` */
export const resume = pauseCommand('resume', (id) => `Resumed ${id}.`);

function pauseCommand(verb: 'pause' | 'resume', words: (id: string) => string) {
  return async (args: readonly string[], env: NodeJS.ProcessEnv, output: Output): Promise<void> => {
    const { values, positionals } = parseArgs({ args: [...args], options: appFlags, allowPositionals: true });
    const [id] = positionals;
    if (!id) throw new UsageError(`gantry app ${verb} needs the id of an app.`);
    await withApps({ values, env, output }, async ({ stores }) => {
      if (!(await setPaused(stores, id, verb === 'pause'))) throw noSuchApp(id);
      output.out(values.json ? JSON.stringify({ id, state: verb === 'pause' ? 'paused' : 'active' }) : words(id));
    });
  };
}
