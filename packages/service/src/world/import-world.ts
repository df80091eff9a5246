import { randomBytes } from 'node:crypto';
import { type Database, type Statement, StoreError } from '@gantry/store';
import { SocialError } from '@gantry/wire';
import type { Passwords } from '../account/passwords.ts';
import { appDataTooLarge } from '../app-data-fields.ts';
import { createImages } from '../images/images.ts';
import { checkWorld } from './check-world.ts';
import { type RecordKind, recordSchemas } from './schema.ts';
import { filesGivenUp, storeImages } from './store-images.ts';
import { refuseDuringImport } from './unfinished-import.ts';
import { notesOn, worldStatements } from './world-statements.ts';

export interface ImportOptions {
  /** What `file` of a media item is relative to. */
  readonly folder: string;
  /** Where the service serves media from. */
  readonly mediaFolder: string;
  /** 32 bytes: seals consumer secrets. */
  readonly secretKey: Uint8Array;
  /** Default: a few at a time, at today's cost. */
  readonly passwords?: Passwords;
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
  readonly now?: () => number;
  readonly random?: (bytes: number) => Uint8Array;
  /** What others keep of a member in the same database: goes with a member who is taken away. */
  readonly alsoRemove?: (member: string) => readonly Statement[];
}

export interface ImportReport {
  /** Records by list. */
  readonly counts: Readonly<Record<RecordKind, number>>;
  /** Members who were taken away. */
  readonly removed: number;
  /** What the file says and this version leaves out, in whole sentences. */
  readonly notes: readonly string[];
}

const kinds = Object.keys(recordSchemas) as RecordKind[];

/**
 * Loads a world file (contract §9): all of it, as one transaction, or nothing. Records that exist are updated.
 *
 * @param file Parsed JSON, not trusted.
 * @throws SocialError BAD_REQUEST that names the first bad record by its path, for example `members[17].displayName`.
 */
export async function importWorld(db: Database, file: unknown, options: ImportOptions): Promise<ImportReport> {
  const { onProgress = () => {}, now = Date.now, random = randomBytes } = options;
  await refuseDuringImport(db);
  const world = await checkWorld(db, file);
  const counts = Object.fromEntries(kinds.map((kind) => [kind, world[kind].length])) as Record<RecordKind, number>;
  const secrets = world.members.filter(({ password }) => password !== undefined).length;
  const pictures = world.mediaItems.length;
  const total = Object.values(counts).reduce((sum, count) => sum + count, secrets + world.removed.length);
  const pictureStore = createImages({ db, mediaFolder: options.mediaFolder });
  const { mediaItems } = world;
  const images = await storeImages(pictureStore, { mediaItems, folder: options.folder }, (done) =>
    onProgress({ done, total }),
  );
  if ('problem' in images) {
    throw new SocialError('BAD_REQUEST', `mediaItems[${images.index}].file ${images.problem}.`);
  }
  const onHashed = (count: number) => onProgress({ done: pictures + count, total });
  const statements = await worldStatements(db, world, { ...options, images, onHashed, nowMs: now(), random });
  const givenUp = await filesGivenUp(db, world, images);
  onProgress({ done: pictures + secrets, total });
  await db.batch(statements).catch((error: unknown) => {
    if (!(error instanceof StoreError) || error.reason !== 'constraint') throw error;
    throw new SocialError(
      'BAD_REQUEST',
      `appData and what is stored are together too much: ${appDataTooLarge().message}`,
      {
        cause: error,
      },
    );
  });
  await pictureStore.removeUnused(givenUp);
  onProgress({ done: total, total });
  return { counts, removed: world.removed.length, notes: notesOn(world) };
}
