import { constants, existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { storedBytes } from '@gantry/proxy';
import {
  copyPrivateFile,
  hasSealedKeys,
  isPostgres,
  openDatabase,
  printableDatabase,
  UsageError,
} from '@gantry/server';
import { copySqlite, findDamage, sql } from '@gantry/store';
import { filesBelow } from './project/files-below.ts';
import { sizeText } from './terminal/size-text.ts';

/** Content of a backup's `backup.json`. */
interface Manifest {
  readonly format: 'gantry-backup';
  readonly version: 1;
  /** ISO 8601. */
  readonly madeAt: string;
  /** The backup has what it takes to start, but for a master key. */
  readonly keys: boolean;
  /** They are in the database. */
  readonly sealedKeys?: boolean;
}

/** Files without which encrypted secrets and signatures are useless. */
const keyFiles = ['keys.json', 'site-key.pem'] as const;

export interface BackupOptions {
  /** Data folder of the site. */
  readonly data: string;
  /** SQLite file. */
  readonly database: string;
  /** Folder to create. */
  readonly target: string;
  readonly withKeys: boolean;
  readonly report: (line: string) => void;
}

/** Contents of a backup, beside database and media. */
export interface BackedUp {
  /** Bytes of the files of apps. */
  readonly appBytes: number;
  /** The keys are in the database, sealed. */
  readonly isSealed: boolean;
}

/**
 * Copies a site while it runs.
 *
 * @throws UsageError if the target is not empty.
 */
export async function backUp({ data, database, target, withKeys, report }: BackupOptions): Promise<BackedUp> {
  requireFile(database, 'pg_dump --format=custom');
  await makeEmpty(target);
  const media = { from: join(data, 'media'), to: join(target, 'media') };
  // Before the database: files that it may name and that may be deleted meanwhile; after it: files
  // added meanwhile.
  const before = await copyNew(media);
  report(`${before} media files`);
  copySqlite({ source: database, target: join(target, 'gantry.db') });
  const { appBytes, isSealed } = await contentOf(database);
  report(`the database, of which files of apps are ${sizeText(appBytes)}`);
  await copyNew(media);
  if (withKeys) for (const name of keyFiles) await copyIfThere(join(data, name), join(target, name));
  const madeAt = new Date().toISOString();
  const manifest: Manifest = {
    format: 'gantry-backup',
    version: 1,
    madeAt,
    keys: withKeys || isSealed,
    sealedKeys: isSealed,
  };
  // Last: an interrupted backup has none, and is refused.
  await writeFile(join(target, 'backup.json'), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
  return { appBytes, isSealed };
}

/** Looks into a database. A site of an earlier release has no table of apps' versions. */
async function contentOf(database: string): Promise<BackedUp> {
  const db = await openDatabase(database);
  try {
    const [table] = await db.query(sql`select 1 from sqlite_schema where name = 'app_chunks'`);
    return { appBytes: table ? await storedBytes(db) : 0, isSealed: await hasSealedKeys(db) };
  } finally {
    await db.close();
  }
}

export interface RestoreOptions {
  readonly source: string;
  readonly data: string;
  readonly database: string;
  /** Folder of the keys, if the backup has none. */
  readonly keys?: string | undefined;
}

/**
 * Creates a data folder from a backup, after reading its whole database.
 *
 * @returns Time of the backup.
 * @throws UsageError for an incomplete backup, missing keys, or a folder that is not empty.
 */
export async function restore({ source, data, database, keys }: RestoreOptions): Promise<string> {
  requireFile(database, 'pg_restore');
  const manifest = await readManifest(source);
  const keyFolder = manifest.keys ? source : keys;
  if (keyFolder === undefined) {
    throw new UsageError(
      'This backup has no keys, and without them no encrypted secret can be read: name their folder with --keys.',
    );
  }
  const [damage] = findDamage(join(source, 'gantry.db'));
  if (damage !== undefined) throw new Error(`The database of this backup is damaged: ${damage}`);
  await makeEmpty(data);
  if (!manifest.sealedKeys) {
    await copyPrivateFile(join(keyFolder, 'keys.json'), join(data, 'keys.json')).catch(() => {
      throw new UsageError(`There is no keys.json in ${keyFolder}.`);
    });
  }
  await copyIfThere(join(keyFolder, 'site-key.pem'), join(data, 'site-key.pem'));
  await copyPrivateFile(join(source, 'gantry.db'), database, constants.COPYFILE_EXCL);
  await copyNew({ from: join(source, 'media'), to: join(data, 'media') });
  return manifest.madeAt;
}

function requireFile(database: string, command: string): void {
  if (!isPostgres(database)) return;
  const where = printableDatabase(database);
  throw new UsageError(`For ${where} use ${command}, which copies while the site runs, and the data folder as files.`);
}

async function readManifest(source: string): Promise<Manifest> {
  try {
    const manifest = JSON.parse(await readFile(join(source, 'backup.json'), 'utf8')) as Manifest;
    if (manifest.format === 'gantry-backup' && manifest.version === 1) return manifest;
  } catch {
    // thrown below
  }
  throw new UsageError(`${source} is not a complete backup of this version: backup.json is missing or different.`);
}

async function makeEmpty(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length > 0) throw new UsageError(`${folder} is not empty: name an empty or new folder.`);
}

/** Copies missing files, whose names are never reused. Resolves with their number. */
async function copyNew({ from, to }: { readonly from: string; readonly to: string }): Promise<number> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  const copied = new Set(await filesBelow(to));
  // Names with a dot are drafts, which nothing refers to yet.
  const all = existsSync(from) ? await filesBelow(from) : [];
  const names = all.filter((name) => !copied.has(name) && !name.startsWith('.'));
  for (const name of names) {
    await mkdir(dirname(join(to, name)), { recursive: true, mode: 0o700 });
    await copyIfThere(join(from, name), join(to, name));
  }
  return names.length;
}

async function copyIfThere(from: string, to: string): Promise<void> {
  try {
    await copyPrivateFile(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
