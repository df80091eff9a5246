import { basename, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { listApps } from '@gantry/proxy';
import { type AppSource, addApp, dropApp } from '../apps.ts';
import { configuration, dataFlags, UsageError } from '../configuration.ts';
import { openStores } from '../create-gantry.ts';
import { type Output, table } from '../output.ts';
import type { Command } from './command.ts';

/** `gantry app add|list|remove` */
export const app: Command = {
  name: 'app',
  summary: 'Register, list and remove apps',
  help: `Usage: gantry app add FOLDER|URL [--id ID] [--title TEXT] [--json]
       gantry app list [--json]
       gantry app remove ID

add registers a folder with a gadget.json, which Gantry serves in a sandbox, or the address of an app's own server. It
makes the key with which the site signs the app's calls; that key is kept sealed and is never shown.
remove forgets the app's address and keys. What it stored and posted stays.

  --id ID           Id of the app (default: the folder's name)
  --title TEXT      Name of a remote app
  --json            Print the result as JSON

Examples:
  gantry app add ./my-gadget
  gantry app add https://apps.example/quiz/ --id quiz --title Quiz
  gantry app list
  gantry app remove quiz`,
  run,
};

const options = {
  ...dataFlags,
  id: { type: 'string' },
  title: { type: 'string' },
  json: { type: 'boolean' },
} as const;

async function run(args: readonly string[], env: NodeJS.ProcessEnv, output: Output): Promise<void> {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [action, subject] = positionals;
  if (action !== 'add' && action !== 'list' && action !== 'remove') {
    throw new UsageError('gantry app takes add, list or remove. See gantry app --help.');
  }
  if (action !== 'list' && !subject) {
    throw new UsageError(
      action === 'add' ? 'gantry app add needs a folder or a URL.' : 'gantry app remove needs the id of an app.',
    );
  }
  const stores = await openStores(configuration(values, env));
  try {
    if (action === 'add') {
      const source = appSource(subject as string, values);
      const { name } = await addApp(stores, source);
      return output.out(values.json ? JSON.stringify({ ...source, name }) : `Registered ${source.id}: ${name}`);
    }
    if (action === 'remove') {
      if (!(await dropApp(stores, subject as string)))
        throw new UsageError(`There is no app ${JSON.stringify(subject)}.`);
      return output.out(values.json ? JSON.stringify({ removed: subject }) : `Removed ${subject}.`);
    }
    const apps = await listApps(stores.db);
    if (values.json) return output.out(JSON.stringify(apps));
    const rows = apps.map(({ id, source, manifest }) => [
      id,
      manifest.name,
      source.kind === 'served' ? source.folder : source.url,
    ]);
    output.out(table(['id', 'name', 'from'], rows, 'No apps yet: gantry app add --help'));
  } finally {
    await stores.db.close();
  }
}

function appSource(subject: string, { id, title }: { id?: string; title?: string }): AppSource {
  if (!/^https?:\/\//.test(subject)) {
    const folder = resolve(subject);
    return { id: id ?? basename(folder), folder };
  }
  if (!id) throw new UsageError('A remote app needs --id ID.');
  return { id, url: subject, title: title ?? id };
}
