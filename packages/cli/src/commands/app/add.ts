import { basename, dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { findKnownApp, type RegistrationMode } from '@gantry/proxy';
import {
  type AddedApp,
  type AppSource,
  addApp,
  countMembers,
  databaseKind,
  describeKnown,
  isBuildFolder,
  printableDatabase,
  UsageError,
} from '@gantry/server';
import { appExists } from '@gantry/service';
import { checkApp } from '../../app-check/check-app.ts';
import { findingLine } from '../../app-check/finding.ts';
import { askHidden, readPiped } from '../../terminal/ask-password.ts';
import { askYes } from '../../terminal/ask-yes.ts';
import type { Output } from '../../terminal/output.ts';
import { type AppCommandContext, appFlags, withApps } from './app-stores.ts';
import { nameIn, readJsonFile } from './read-json-file.ts';

const options = {
  ...appFlags,
  id: { type: 'string' },
  title: { type: 'string' },
  manifest: { type: 'string' },
  key: { type: 'string' },
  trusted: { type: 'boolean' },
  'no-trusted': { type: 'boolean' },
  update: { type: 'boolean' },
  replace: { type: 'boolean' },
  yes: { type: 'boolean' },
} as const;

/** `gantry app add FOLDER|URL` */
export async function add(args: readonly string[], env: NodeJS.ProcessEnv, output: Output): Promise<void> {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [subject] = positionals;
  if (!subject) throw new UsageError('gantry app add needs a folder or a URL.');
  if (values.update && values.replace) throw new UsageError('Use either --update or --replace.');
  if (values.trusted && values['no-trusted']) throw new UsageError('Use either --trusted or --no-trusted.');
  const mode: RegistrationMode = values.update ? 'update' : values.replace ? 'replace' : 'new';
  const trusted = values.trusted ?? (values['no-trusted'] ? false : undefined);
  const source = await sourceOf(subject, values);
  const found = 'folder' in source ? await checkApp(source.folder, { appsHost: env.GANTRY_APPS_HOST }) : undefined;
  await withApps({ values, env, output, hasKey: values.key !== undefined }, async (context) => {
    if (mode === 'replace') await confirm(context, source.id, values.yes ?? false);
    const consumer = values.key === undefined ? undefined : { key: values.key, secret: await readSecret(env) };
    const added = await addApp(context.stores, { ...source, mode, trusted, consumer });
    const warnings = (found?.findings ?? []).filter(({ level }) => level === 'warning').map(findingLine);
    if (values.json) return output.out(JSON.stringify(asJson(context, source, { added, warnings })));
    for (const line of linesOf(context, source, added)) output.out(line);
    for (const warning of warnings) output.err(`Warning: ${warning}`);
  });
}

/** Asks before an app is replaced. @throws UsageError without a yes. Nothing is changed then. */
async function confirm({ stores }: AppCommandContext, id: string, isConfirmed: boolean): Promise<void> {
  const known = await findKnownApp(stores.db, id);
  const isUnknown =
    known === undefined && ((await databaseKind(stores.db)) === 'proxy' || !(await appExists(stores.db, id)));
  if (isConfirmed || isUnknown) return;
  const members = await countMembers(stores, id);
  const it = known
    ? await describeKnown(stores, known)
    : `No app is registered as ${id}, but data of ${members} members is left.`;
  const question = `${it}\nIts grants, the data that it saved and all its keys are deleted. Its posts stay.`;
  const { stdin } = process;
  if (!stdin.isTTY) throw new UsageError(`${question}\nNothing was changed: confirm with --yes.`);
  if (await askYes(`${question}\nReplace it?`, stdin, (text) => process.stderr.write(text))) return;
  throw new UsageError('Nothing was changed.');
}

const done = { registered: 'Registered', updated: 'Updated', replaced: 'Replaced' } as const;

function linesOf(context: AppCommandContext, source: AppSource, added: AddedApp): readonly string[] {
  const { id, name, trusted, before } = added;
  const isFolder = 'folder' in source;
  const { data, database, url } = context.setup;
  const isChanged = added.done === 'updated' && before?.trusted !== trusted;
  const members = trusted
    ? `are ${isChanged ? 'no longer' : 'not'} asked: the site trusts it (--trusted)`
    : `are asked ${isChanged ? 'from now on, since it is no longer trusted' : 'for what gadget.json declares'}`;
  return [
    `${done[added.done]} ${id}: ${name}`,
    isFolder
      ? `  from     ${source.folder}, served live: changed files count at the next load, a changed gadget.json after --update`
      : `  from     ${source.url}, its own server`,
    `  kept in  ${data} (database ${printableDatabase(database)})`,
    `  shown by <gantry-gadget app="${id}"></gantry-gadget> on a page of ${url ?? 'the site'}`,
    `  members  ${members}`,
  ];
}

function asJson(
  { setup }: AppCommandContext,
  source: AppSource,
  { added, warnings }: { readonly added: AddedApp; readonly warnings: readonly string[] },
): object {
  const { name, trusted, done, before } = added;
  const { data, database } = setup;
  const was = before && { name: before.name, source: before.source, trusted: before.trusted };
  return { ...source, name, trusted, done, ...(was && { was }), data, database: printableDatabase(database), warnings };
}

async function readSecret(env: NodeJS.ProcessEnv): Promise<string> {
  const show = (text: string) => process.stderr.write(text);
  const { stdin } = process;
  const secret =
    env.GANTRY_APP_SECRET ||
    (stdin.isTTY ? await askHidden('Secret of the key: ', stdin, show) : await readPiped(stdin));
  if (secret !== '') return secret;
  throw new UsageError(
    'The secret of the key is empty. Pass it in GANTRY_APP_SECRET, through a pipe or at a terminal.',
  );
}

interface SourceFlags {
  readonly id?: string;
  readonly title?: string;
  readonly manifest?: string;
  readonly update?: boolean;
}

async function sourceOf(subject: string, { id, title, manifest: file, update }: SourceFlags): Promise<AppSource> {
  if (!/^https?:\/\//.test(subject)) {
    const folder = resolve(subject);
    if (file !== undefined) throw new UsageError('--manifest is for remote apps: a folder has its gadget.json.');
    const name = id ?? basename(folder);
    if (isBuildFolder(name) && !update) throw new UsageError(await noIdMessage(folder, name));
    return { id: name, folder };
  }
  if (!id) throw new UsageError('A remote app needs --id ID.');
  const manifest = file === undefined ? {} : await readJsonFile(file);
  return { id, url: subject, title: title ?? nameIn(manifest) ?? id, manifest };
}

/** Returns the error for a build folder, with an id from the app's name or the parent folder. */
async function noIdMessage(folder: string, name: string): Promise<string> {
  const { name: title } = await checkApp(folder);
  const isOwn = basename(folder) === name;
  const suggested = idFrom(title ?? '') ?? idFrom(isOwn ? basename(dirname(folder)) : '') ?? 'my-gadget';
  return `${name} is the name of a build folder, not of an app: choose an id, for example --id ${suggested}`;
}

function idFrom(text: string): string | undefined {
  const id = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return id === '' || id.length > 64 || isBuildFolder(id) ? undefined : id;
}
