import { basename, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { listApps } from '@gantry/proxy';
import { type AppSource, addApp, dropApp } from '../apps.ts';
import { configuration, dataFlags, UsageError } from '../configuration.ts';
import { openStores } from '../create-gantry.ts';
import { type Output, table } from '../output.ts';

const options = {
  ...dataFlags,
  id: { type: 'string' },
  title: { type: 'string' },
  json: { type: 'boolean' },
} as const;

/** `gantry app add|list|remove` */
export async function appCommand(args: readonly string[], env: NodeJS.ProcessEnv, output: Output): Promise<void> {
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
