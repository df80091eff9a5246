import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { type Database, StoreError } from '@gantry/store';
import { SocialError } from '@gantry/wire';
import { createPasswords, type Passwords } from '../account/passwords.ts';
import { readSettings, settingStatement } from '../settings.ts';
import { createSiteTime, type SiteTime } from '../site-time.ts';
import { everythingChanged } from '../store/versions.ts';
import { checkWorld } from './check-world.ts';
import { itemStatements, type MediaContext, outdatedUrls } from './media-statements.ts';
import { passwordStatements } from './password-statements.ts';
import { recordStatements } from './record-statements.ts';
import { type RecordKind, recordSchemas, type Site, siteSettings, type World } from './schema.ts';
import { type StoredImage, storeImage } from './store-image.ts';

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
}

export interface ImportReport {
  /** Records by list. */
  readonly counts: Readonly<Record<RecordKind, number>>;
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
  const { secretKey, onProgress = () => {}, now = Date.now, random = randomBytes } = options;
  const world = await checkWorld(db, file);
  const counts = Object.fromEntries(kinds.map((kind) => [kind, world[kind].length])) as Record<RecordKind, number>;
  const secrets = world.members.filter(({ password }) => password !== undefined).length;
  const total = secrets + Object.values(counts).reduce((sum, count) => sum + count, 0);
  const pictures = world.mediaItems.length;
  const images = await storeImages(world.mediaItems, options, (index) => onProgress({ done: index, total }));
  const siteTime = await timeOf(db, world.site);
  const nowMs = now();
  const hashes = await passwordStatements(db, world.members, {
    passwords: options.passwords ?? createPasswords({ random }),
    nowMs,
    onHashed: (count) => onProgress({ done: pictures + count, total }),
  });
  const media: MediaContext = { world, images, siteTime, nowMs, random };
  const statements = [
    ...(world.site ? siteSettings(world.site) : []).map(([name, value]) => settingStatement(name, value)),
    ...recordStatements(world, { secretKey, nowMs }),
    ...hashes,
    ...(await outdatedUrls(db, media)),
    ...(await itemStatements(db, media)),
    everythingChanged(),
  ];
  onProgress({ done: pictures + secrets, total });
  await db.batch(statements).catch((error: unknown) => {
    if (!(error instanceof StoreError) || error.reason !== 'constraint') throw error;
    throw new SocialError('BAD_REQUEST', 'appData and what is stored are together beyond the limit of a member.', {
      cause: error,
    });
  });
  onProgress({ done: total, total });
  return { counts, notes: notesOn(world) };
}

const imagesAtOnce = 4;

/** Copies the images. Their files do no harm if the rest of the import fails: nothing leads to them yet. */
async function storeImages(
  mediaItems: World['mediaItems'],
  { folder, mediaFolder }: Pick<ImportOptions, 'folder' | 'mediaFolder'>,
  onStored: (count: number) => void,
): Promise<ReadonlyMap<string, StoredImage>> {
  const images = new Map<string, StoredImage>();
  for (let start = 0; start < mediaItems.length; start += imagesAtOnce) {
    const some = mediaItems.slice(start, start + imagesAtOnce);
    const stored = await Promise.all(
      some.map(({ file }) => (file === undefined ? undefined : storeImage(resolve(folder, file), mediaFolder))),
    );
    for (const [index, item] of some.entries()) {
      const image = stored[index];
      if (item.file !== undefined && !image) {
        throw bad(`mediaItems[${start + index}].file`, 'must be a JPEG, PNG, WebP or GIF image beside the world file');
      }
      if (image) images.set(item.id, image);
    }
    onStored(start + some.length);
  }
  return images;
}

async function timeOf(db: Database, site: Site | undefined): Promise<SiteTime> {
  return createSiteTime(site?.timeZone ?? (await readSettings(db)).timeZone);
}

function notesOn({ site, apps }: World): readonly string[] {
  const notes = [];
  if (site?.publicUrl !== undefined)
    notes.push('site.publicUrl is left out: the address is set where the server starts.');
  if (apps.some(({ manifest }) => manifest !== undefined)) {
    notes.push('Manifests are left out: register apps with gantry app add.');
  }
  return notes;
}

function bad(path: string, problem: string): SocialError {
  return new SocialError('BAD_REQUEST', `${path} ${problem}.`);
}
