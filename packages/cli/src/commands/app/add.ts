import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { findKnownApp, type RegistrationMode, readManifest } from '@gantry/proxy';
import {
  type AddedApp,
  type AppSource,
  addApp,
  configuration,
  countMembers,
  databaseKind,
  describeKnown,
  isBuildFolder,
  printableDatabase,
  shownDigits,
  UsageError,
} from '@gantry/server';
import { appExists } from '@gantry/service';
import { SocialError } from '@gantry/wire';
import { countText, isLocalHost } from '@gantry/wire/runtime';
import { askYes } from 'create-gantry';
import { checkApp } from '../../app-check/check-app.ts';
import { findingLine } from '../../app-check/finding.ts';
import { type ServedFiles, servedLine } from '../../app-check/served-files.ts';
import { type ValuesOf, withFlags } from '../../command.ts';
import { askHidden, readPiped } from '../../terminal/read-secret.ts';
import { localActor } from './actor.ts';
import { type AppCommandContext, appFlags, withApps } from './app-stores.ts';

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
  live: { type: 'boolean' },
  force: { type: 'boolean' },
  'despite-data': { type: 'boolean' },
  yes: { type: 'boolean' },
} as const;

export const add = withFlags({ options }, async ({ positionals: subjects, ...line }) => {
  const { values, env, output, print } = line;
  if (subjects.length === 0) throw new UsageError('gantry app add needs a folder, a packed file or a URL.');
  if (values.update && values.replace) throw new UsageError('Use either --update or --replace.');
  if (values.trusted && values['no-trusted']) throw new UsageError('Use either --trusted or --no-trusted.');
  const isOne = subjects.length === 1;
  const flag = (['id', 'title', 'manifest', 'key'] as const).find((name) => values[name] !== undefined);
  if (!isOne && flag) throw new UsageError(`--${flag} is for one app: add that app by itself.`);
  if (values.live && !values.force) requireLocalSite(configuration({ ...values }, env).url);
  const mode: RegistrationMode = values.update ? 'update' : values.replace ? 'replace' : 'new';
  const trusted = values.trusted ?? (values['no-trusted'] ? false : undefined);
  const sources = await Promise.all(subjects.map((subject) => sourceOf(subject, values)));
  const [first] = sources;
  if (isOne && first && 'folder' in first) await readManifest(first.folder); // fails before it makes a data folder

  async function addOne(context: AppCommandContext, source: AppSource): Promise<void> {
    const report = 'folder' in source ? await checkApp(source.folder, { appsHost: env.GANTRY_APPS_HOST }) : undefined;
    if (mode === 'replace') await confirm(context, source.id, values.yes ?? false);
    const consumer = values.key === undefined ? undefined : { key: values.key, secret: await readSecret(env) };
    const despiteData = values['despite-data'];
    const by = localActor();
    const added = await addApp(context.stores, { ...source, mode, trusted, consumer, despiteData, by });
    const warnings = (report?.findings ?? []).filter(({ level }) => level === 'warning').map(findingLine);
    const { name, done, before, version } = added;
    const was = before && { name: before.name, source: before.source, trusted: before.trusted };
    const { data } = context.setup;
    const database = printableDatabase(context.setup.database);
    const stored = version && { version: version.digest, bytes: version.bytes };
    const place = { ...stored, was, data, database, ...report?.files };
    const facts = { ...source, name, trusted: added.trusted, done, ...place, warnings };
    const text = linesOf(context, source, { ...added, files: report?.files });
    print(facts, isOne ? text : text.slice(0, text.indexOf('\n')));
    if (!values.json) for (const warning of warnings) output.err(`Warning: ${isOne ? '' : `${source.id}: `}${warning}`);
  }

  const work = async (context: AppCommandContext) => {
    let failures = 0;
    for (const source of sources) {
      try {
        await addOne(context, source);
      } catch (error) {
        if (isOne) throw error;
        failures += 1;
        const { message } = error as Error;
        if (values.json) print({ ...source, error: message }, '');
        else output.err(`Failed ${source.id}: ${message}`);
      }
    }
    if (!isOne && !values.json) output.out(placeOf(context));
    if (failures > 0) throw new SocialError('BAD_REQUEST', `${failures} of ${sources.length} apps were not added.`);
  };
  await withApps(line, work, values.key !== undefined);
});

/** Asks before an app is replaced. @throws UsageError without a yes. Nothing is changed then. */
async function confirm({ stores }: AppCommandContext, id: string, isConfirmed: boolean): Promise<void> {
  const app = await findKnownApp(stores.db, id);
  const isUnknown =
    app === undefined && ((await databaseKind(stores.db)) === 'proxy' || !(await appExists(stores.db, id)));
  if (isConfirmed || isUnknown) return;
  const members = await countMembers(stores, id);
  const it = app
    ? await describeKnown(stores, app)
    : `No app is registered as ${id}, but data of ${countText(members, 'member')} is left.`;
  const question = `${it}\nIts grants, the data that it saved and all its keys are deleted. Its posts stay.`;
  if (!process.stdin.isTTY) throw new UsageError(`${question}\nNothing was changed: confirm with --yes.`);
  if (await askYes(`${question}\nReplace it?`)) return;
  throw new UsageError('Nothing was changed.');
}

/** @throws UsageError for a site at a public address. */
function requireLocalSite(url = 'http://localhost'): void {
  if (isLocalHost(new URL(url).hostname)) return;
  throw new UsageError(
    `--live serves a folder as it is, half-saved files too, and members reach ${url}. Leave --live out to store a version, or confirm with --force.`,
  );
}

const doneWords = {
  registered: 'Registered',
  updated: 'Updated',
  replaced: 'Replaced',
  unchanged: 'Unchanged',
} as const;

function linesOf(
  context: AppCommandContext,
  source: AppSource,
  added: AddedApp & { readonly files: ServedFiles | undefined },
): string {
  const { id, name, trusted, before, done, files } = added;
  const { url } = context.setup;
  const isChanged = done === 'updated' && before?.trusted !== trusted;
  const members = trusted
    ? `are ${isChanged ? 'no longer' : 'not'} asked: the site trusts it (--trusted)`
    : `are asked ${isChanged ? 'from now on, since it is no longer trusted' : 'for what gadget.json declares'}`;
  return [
    `${doneWords[done]} ${id}: ${name}`,
    `  from     ${originOf(source, added)}`,
    ...(files ? [`  serves   ${servedLine(files)}`] : []),
    placeOf(context),
    `  shown by <gantry-gadget app="${id}"></gantry-gadget> on a page of ${url ?? 'the site'}`,
    `  members  ${members}`,
  ].join('\n');
}

/** Says where an app's files are from now on, and when a change of them counts. */
function originOf(source: AppSource, { version, before, done }: AddedApp): string {
  if ('url' in source) return `${source.url}, its own server`;
  const place = 'folder' in source ? source.folder : source.file;
  if (version === undefined) {
    return `${place}, served live: changed files count at the next load, a changed gadget.json after --update`;
  }
  const digits = version.digest.slice(0, shownDigits);
  if (done === 'unchanged') return `${place}: version ${digits} is live already`;
  const wasLive = before?.source.kind === 'served' && before.removedAtMs === undefined && done === 'updated';
  return `${place}, stored as version ${digits}: later changes${wasLive ? ', which counted at once so far,' : ''} count after --update`;
}

function placeOf({ setup: { data, database } }: AppCommandContext): string {
  return `  kept in  ${data} (database ${printableDatabase(database)})`;
}

async function readSecret(env: NodeJS.ProcessEnv): Promise<string> {
  const { stdin } = process;
  const secret =
    env.GANTRY_APP_SECRET || (stdin.isTTY ? await askHidden('Secret of the key: ') : await readPiped(stdin));
  if (secret !== '') return secret;
  throw new UsageError(
    'The secret of the key is empty. Pass it in GANTRY_APP_SECRET, through a pipe or at a terminal.',
  );
}

async function sourceOf(
  subject: string,
  { id, title, manifest: file, update, live }: ValuesOf<typeof options>,
): Promise<AppSource> {
  if (!/^https?:\/\//.test(subject)) {
    const path = resolve(subject);
    if (file !== undefined) throw new UsageError('--manifest is for remote apps: a folder has its gadget.json.');
    if (await isFile(path)) {
      if (live) throw new UsageError('--live is for folders: a packed file becomes a version.');
      return { id: id ?? packedName(path), file: path };
    }
    const name = id ?? basename(path);
    if (isBuildFolder(name) && !update) throw new UsageError(await noIdMessage(path, name));
    return { id: name, folder: path, ...(live && { live }) };
  }
  if (live) throw new UsageError('--live is for folders: an app on its own server is as that server has it.');
  if (!id) throw new UsageError('A remote app needs --id ID.');
  const manifest = file === undefined ? {} : await readJsonFile(file);
  const name = 'name' in manifest && typeof manifest.name === 'string' ? manifest.name : undefined;
  return { id, url: subject, title: title ?? name ?? id, manifest };
}

/** Returns the app that a file of `gantry app pack` names before its version. */
function packedName(file: string): string {
  const parts = basename(file, '.tar').split('-');
  const version = parts.findIndex((part, index) => index > 0 && /^(?:\d+\.\d+\.\d+|[0-9a-f]{12}$)/.test(part));
  return parts.slice(0, version === -1 ? undefined : version).join('-');
}

function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (entry) => entry.isFile(),
    () => false,
  );
}

/** Reads a JSON object from a file. @throws UsageError if it cannot be read or holds none. */
async function readJsonFile(file: string): Promise<object> {
  const text = await readFile(file, 'utf8').catch((cause) => {
    throw new UsageError(`${file} cannot be read.`, { cause });
  });
  try {
    const json: unknown = JSON.parse(text);
    if (typeof json === 'object' && json !== null) return json;
  } catch {
    // thrown below
  }
  throw new UsageError(`${file} must hold a JSON object.`);
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
