import { randomBytes } from 'node:crypto';
import { type Database, StoreError } from '@gantry/store';
import { SocialError } from '@gantry/wire';
import { appDataTooLarge } from '../fields/app-data.ts';
import { checkWorld } from './check-world.ts';
import { type RecordKind, recordSchemas } from './schema.ts';
import { importNotes, type StorageOptions, storeWorld } from './store-world.ts';
import { refuseDuringImport } from './unfinished-import.ts';

export interface ImportOptions extends StorageOptions {
  /** Folder that `file` of media items is relative to. */
  readonly folder: string;
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
  readonly now?: () => number;
  readonly random?: (bytes: number) => Uint8Array;
}

export interface ImportReport {
  readonly counts: Readonly<Record<RecordKind, number>>;
  readonly removed: number;
  /** Parts of the file that this version ignores, as whole sentences. */
  readonly notes: readonly string[];
}

const kinds = Object.keys(recordSchemas) as RecordKind[];

/**
 * Imports a world file (contract §9) as one transaction. Existing records are updated.
 *
 * @param file Parsed JSON, not trusted.
 * @throws SocialError BAD_REQUEST that names the first bad record by its path, for example
 * `members[17].displayName`.
 */
export async function importWorld(db: Database, file: unknown, options: ImportOptions): Promise<ImportReport> {
  const { onProgress = () => {}, now = Date.now, random = randomBytes } = options;
  await refuseDuringImport(db);
  const world = await checkWorld(db, file);
  const counts = Object.fromEntries(kinds.map((kind) => [kind, world[kind].length])) as Record<RecordKind, number>;
  const secrets = world.members.filter(({ password }) => password !== undefined).length;
  const total = Object.values(counts).reduce((sum, count) => sum + count, secrets + world.removed.length);
  const onPrepared = (done: number) => onProgress({ done, total });
  try {
    const bad = await storeWorld(db, world, { ...options, nowMs: now(), random, onPrepared });
    if (bad) throw new SocialError('BAD_REQUEST', `mediaItems[${bad.index}].file ${bad.problem}.`);
  } catch (cause) {
    if (!(cause instanceof StoreError) || cause.reason !== 'constraint') throw cause;
    const message = `appData and the stored data together are too much: ${appDataTooLarge().message}`;
    throw new SocialError('BAD_REQUEST', message, { cause });
  }
  onProgress({ done: total, total });
  return { counts, removed: world.removed.length, notes: importNotes(world) };
}
