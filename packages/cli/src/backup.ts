import { constants, existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { copyPrivately, isPostgres, printable, UsageError } from '@gantry/server';
import { copySqlite, damageOf } from '@gantry/store';

/** What `backup.json` says about the folder that it is in. */
interface Manifest {
  readonly format: 'gantry-backup';
  readonly version: 1;
  /** ISO 8601. */
  readonly madeAt: string;
  readonly keys: boolean;
}

/** Files of the data folder without which sealed secrets and signatures are worth nothing. */
const keyFiles = ['keys.json', 'site-key.pem'] as const;

export interface BackupOptions {
  /** Data folder of the site. */
  readonly data: string;
  /** SQLite file. */
  readonly database: string;
  /** Folder to make. */
  readonly target: string;
  readonly withKeys: boolean;
  readonly now?: () => Date;
  readonly tell?: (line: string) => void;
}

/**
 * Copies a site while it runs.
 *
 * @throws UsageError for a target that holds something.
 */
export async function backUp({ data, database, target, withKeys, now, tell = () => {} }: BackupOptions): Promise<void> {
  requireFile(database, 'pg_dump --format=custom');
  await makeEmpty(target);
  const media = { from: join(data, 'media'), to: join(target, 'media') };
  // Before the database, what it may name and somebody deletes meanwhile; after it, what was added meanwhile.
  const before = await copyNew(media);
  tell(`${before} media files`);
  copySqlite({ source: database, target: join(target, 'gantry.db') });
  tell('the database');
  await copyNew(media);
  if (withKeys) for (const name of keyFiles) await copyIfThere(join(data, name), join(target, name));
  const madeAt = (now?.() ?? new Date()).toISOString();
  const manifest: Manifest = { format: 'gantry-backup', version: 1, madeAt, keys: withKeys };
  // Last: a backup that was cut short has none, and is refused.
  await writeFile(join(target, 'backup.json'), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
}

export interface RestoreOptions {
  readonly source: string;
  readonly data: string;
  readonly database: string;
  /** Folder of the keys, where the backup has none. */
  readonly keys?: string | undefined;
}

/**
 * Makes a data folder of a backup, after reading the whole of its database.
 *
 * @returns When the backup was made.
 * @throws UsageError for a source that is no whole backup, missing keys, and a folder that holds something.
 */
export async function restore({ source, data, database, keys }: RestoreOptions): Promise<string> {
  requireFile(database, 'pg_restore');
  const manifest = await readManifest(source);
  const keyFolder = manifest.keys ? source : keys;
  if (keyFolder === undefined) {
    throw new UsageError(
      'This backup has no keys, and without them no sealed secret can be read: name their folder with --keys.',
    );
  }
  const [damage] = damageOf(join(source, 'gantry.db'));
  if (damage !== undefined) throw new Error(`The database of this backup is damaged: ${damage}`);
  await makeEmpty(data);
  await copyPrivately(join(keyFolder, 'keys.json'), join(data, 'keys.json')).catch(() => {
    throw new UsageError(`There is no keys.json in ${keyFolder}.`);
  });
  await copyIfThere(join(keyFolder, 'site-key.pem'), join(data, 'site-key.pem'));
  await copyPrivately(join(source, 'gantry.db'), database, constants.COPYFILE_EXCL);
  await copyNew({ from: join(source, 'media'), to: join(data, 'media') });
  return manifest.madeAt;
}

function requireFile(database: string, command: string): void {
  if (!isPostgres(database)) return;
  const where = printable(database);
  throw new UsageError(`For ${where} use ${command}, which copies while the site runs, and the data folder as files.`);
}

async function readManifest(source: string): Promise<Manifest> {
  try {
    const manifest = JSON.parse(await readFile(join(source, 'backup.json'), 'utf8')) as Manifest;
    if (manifest.format === 'gantry-backup' && manifest.version === 1) return manifest;
  } catch {
    // said below
  }
  throw new UsageError(`${source} is no whole backup of this version: it has no backup.json that says so.`);
}

async function makeEmpty(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length > 0)
    throw new UsageError(`${folder} is not empty: name a folder that is, or none yet.`);
}

/** Copies the files that are not there yet; their names are never used twice. Answers how many. */
async function copyNew({ from, to }: { readonly from: string; readonly to: string }): Promise<number> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  const known = new Set(await filesIn(to));
  // Names with a dot are drafts, which nothing leads to yet.
  const names = (await filesIn(from)).filter((name) => !known.has(name) && !name.startsWith('.'));
  for (const name of names) {
    await mkdir(dirname(join(to, name)), { recursive: true, mode: 0o700 });
    await copyIfThere(join(from, name), join(to, name));
  }
  return names.length;
}

/** Paths of all files below a folder, relative to it. */
async function filesIn(folder: string): Promise<string[]> {
  if (!existsSync(folder)) return [];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

async function copyIfThere(from: string, to: string): Promise<void> {
  try {
    await copyPrivately(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
