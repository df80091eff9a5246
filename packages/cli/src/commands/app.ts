import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { listApps } from '@gantry/proxy';
import { SocialError } from '@gantry/wire';
import { type AppSource, addApp, dropApp } from '../apps.ts';
import { askHidden, readPiped } from '../ask-password.ts';
import { checkApp, wordsOf } from '../check-app.ts';
import { type Configuration, configuration, dataFlags, UsageError } from '../configuration.ts';
import { openStores, type Stores } from '../create-gantry.ts';
import { kindOf, openProxyStores } from '../create-site-proxy.ts';
import { openDatabase } from '../open-database.ts';
import { type Output, table } from '../output.ts';
import type { Command } from './command.ts';

/** `gantry app check|add|list|remove` */
export const app: Command = {
  name: 'app',
  summary: 'Check, register, list and remove apps',
  help: `Usage: gantry app check FOLDER [--json]
       gantry app add FOLDER|URL [--id ID] [--title TEXT] [--manifest FILE] [--key KEY] [--trusted] [--json]
       gantry app list [--json]
       gantry app remove ID

check looks at an app's folder without registering it: what is wrong with gadget.json and where, what members will be
asked, files that are missing, addresses that will not load, data kept in the browser without a host for that, and calls
that are made but not declared, or the other way round. It ends with code 1 if the folder cannot be registered.
add registers a folder with a gadget.json, which Gantry serves in a sandbox, or the address of an app's own server, and
warns of data that it keeps in the browser without a host for that. It makes the key with which the site signs the app's
calls; that key is kept sealed and is never shown.
An app may do what its gadget.json declares and the member allows: members are asked when they first see it. With
--trusted the site answers for the app, and they are not asked. A remote app without --manifest may do nothing.
Before an existing site (gantry proxy) the site issues the key: name it with --key, and give its secret in
GANTRY_APP_SECRET, through a pipe, or when you are asked for it.
remove forgets the app's address, its keys, what members allowed it and who has it. What it stored and posted stays.

  --id ID           Id of the app (default: the folder's name)
  --title TEXT      Name of a remote app
  --manifest FILE   What a remote app declares: a gadget.json, of which page is not needed
  --key KEY         Consumer key that an existing site issued for the app
  --trusted         Do not ask members
  --json            Print the result as JSON

Examples:
  gantry app check ./my-gadget
  gantry app add ./my-gadget
  gantry app add https://apps.example/quiz/ --id quiz --title Quiz --manifest quiz.json
  gantry app add ./my-gadget --key my-gadget-key < secret.txt
  gantry app list
  gantry app remove quiz`,
  run,
};

const options = {
  ...dataFlags,
  id: { type: 'string' },
  title: { type: 'string' },
  manifest: { type: 'string' },
  key: { type: 'string' },
  trusted: { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

async function run(args: readonly string[], env: NodeJS.ProcessEnv, output: Output): Promise<void> {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [action, subject] = positionals;
  const appsHost = env.GANTRY_APPS_HOST;
  if (action === 'check' && subject) {
    return check(resolve(subject), { isJson: values.json ?? false, appsHost, output });
  }
  if (action !== 'check' && action !== 'add' && action !== 'list' && action !== 'remove') {
    throw new UsageError('gantry app takes check, add, list or remove. See gantry app --help.');
  }
  if (action !== 'list' && !subject) {
    throw new UsageError(
      action === 'remove'
        ? 'gantry app remove needs the id of an app.'
        : `gantry app ${action} needs a folder${action === 'add' ? ' or a URL' : ''}.`,
    );
  }
  const stores = await openAppStores(configuration(values, env), values.key !== undefined);
  try {
    if (action === 'add') {
      const source = await appSource(subject as string, values);
      const { trusted = false } = values;
      const consumer = values.key === undefined ? undefined : { key: values.key, secret: await readSecret(env) };
      const { name } = await addApp(stores, { ...source, trusted, ...(consumer && { consumer }) });
      const { id } = source;
      const { storage } = 'folder' in source ? await checkApp(source.folder, { appsHost }) : { storage: [] };
      for (const warning of storage) output.err(`Warning: ${warning}`);
      return output.out(values.json ? JSON.stringify({ ...source, name, trusted }) : `Registered ${id}: ${name}`);
    }
    if (action === 'remove') {
      if (!(await dropApp(stores, subject as string)))
        throw new UsageError(`There is no app ${JSON.stringify(subject)}.`);
      return output.out(values.json ? JSON.stringify({ removed: subject }) : `Removed ${subject}.`);
    }
    const apps = await listApps(stores.db);
    if (values.json) return output.out(JSON.stringify(apps));
    const rows = apps.map(({ id, source, manifest, trusted }) => [
      id,
      manifest.name,
      trusted ? 'trusted' : 'asks',
      source.kind === 'served' ? source.folder : source.url,
    ]);
    output.out(table(['id', 'name', 'members', 'from'], rows, 'No apps yet: gantry app add --help'));
  } finally {
    await stores.db.close();
  }
}

async function check(
  folder: string,
  options: { readonly isJson: boolean; readonly appsHost: string | undefined; readonly output: Output },
): Promise<void> {
  const { isJson, appsHost, output } = options;
  const { errors, warnings, name, asks, mayAsk } = await checkApp(folder, { appsHost });
  if (isJson) output.out(JSON.stringify({ errors, warnings, name, asks, mayAsk }));
  else {
    const list = (names: typeof asks) => names.map((each) => `  - ${wordsOf(each)} (${each})`);
    if (name !== undefined) {
      output.out(asks.length > 0 ? `Members are asked to let ${name}:` : `${name} asks members for nothing.`);
      for (const line of list(asks)) output.out(line);
      if (mayAsk.length > 0) output.out('While it runs it may ask them to let it:');
      for (const line of list(mayAsk)) output.out(line);
    }
    for (const warning of warnings) output.err(`Warning: ${warning}`);
    if (errors.length === 0) output.out('It can be registered: gantry app add.');
  }
  if (errors.length > 0) throw new SocialError('BAD_REQUEST', errors.join('\n'));
}

/** The stores of a whole site, or of a proxy before one that exists: then there is nothing but what the proxy keeps. */
async function openAppStores(setup: Configuration, hasKey: boolean): Promise<Stores> {
  mkdirSync(setup.data, { recursive: true, mode: 0o700 });
  const db = await openDatabase(setup.database);
  const kind = await kindOf(db).finally(() => db.close());
  if (kind === 'site' && hasKey) throw new UsageError('--key is for gantry proxy: gantry serve makes keys of its own.');
  return kind === 'proxy' || hasKey ? openProxyStores(setup) : openStores(setup);
}

async function readSecret(env: NodeJS.ProcessEnv): Promise<string> {
  const show = (text: string) => process.stderr.write(text);
  const { stdin } = process;
  const secret =
    env.GANTRY_APP_SECRET ||
    (stdin.isTTY ? await askHidden('Secret of the key: ', stdin, show) : await readPiped(stdin));
  if (secret !== '') return secret;
  throw new UsageError(
    'The secret of the key is empty. Give it in GANTRY_APP_SECRET, through a pipe or at a terminal.',
  );
}

async function appSource(subject: string, given: AppFlags): Promise<AppSource> {
  const { id, title, manifest: file } = given;
  if (!/^https?:\/\//.test(subject)) {
    const folder = resolve(subject);
    if (file !== undefined) throw new UsageError('--manifest is for remote apps: a folder has its gadget.json.');
    return { id: id ?? basename(folder), folder };
  }
  if (!id) throw new UsageError('A remote app needs --id ID.');
  const manifest = file === undefined ? {} : await readJson(file);
  return { id, url: subject, title: title ?? nameIn(manifest) ?? id, manifest };
}

interface AppFlags {
  readonly id?: string;
  readonly title?: string;
  readonly manifest?: string;
}

async function readJson(file: string): Promise<object> {
  const text = await readFile(file, 'utf8').catch((cause) => {
    throw new UsageError(`${file} cannot be read.`, { cause });
  });
  try {
    const json: unknown = JSON.parse(text);
    if (typeof json === 'object' && json !== null) return json;
  } catch {
    // said below
  }
  throw new UsageError(`${file} must hold a JSON object.`);
}

function nameIn(manifest: object): string | undefined {
  return 'name' in manifest && typeof manifest.name === 'string' ? manifest.name : undefined;
}
