import type { Bucket, Database, Statement } from '@gantry/store';
import { createPasswords, type Passwords } from '../auth/passwords.ts';
import { createImages } from '../images/images.ts';
import { readSettings, settingStatement } from '../settings.ts';
import { chunks } from '../store/chunks.ts';
import { endBlock, endFriendship, removeMember } from '../store/remove-member.ts';
import { type DeleteOthers, idsWithoutMember, noteRemoval } from '../store/removed-members.ts';
import { createZonedTime, type ZonedTime } from '../zoned-time.ts';
import { changeStatements } from './changes.ts';
import { withdrawIntroduction } from './introduce-member.ts';
import { itemStatements, renewedUrls } from './media-statements.ts';
import { passwordStatements } from './password-statements.ts';
import { recordStatements } from './record-statements.ts';
import { siteSettings, type World } from './schema.ts';
import { type BadRecord, releasedFiles, storeImages } from './store-images.ts';

/** Options of everything that stores records. */
export interface StorageOptions {
  readonly mediaFolder: string;
  /** Place of photos, instead of that folder. */
  readonly bucket?: Bucket | undefined;
  /** 32 bytes that seal consumer secrets. */
  readonly secretKey: Uint8Array;
  /** Hashes the passwords of records. Default: a few at a time, at the current cost. */
  readonly passwords?: Passwords | undefined;
  /** Deletes other data of removed members, and of ids that get their first member. */
  readonly alsoRemove?: DeleteOthers | undefined;
}

export interface RecordOptions extends StorageOptions {
  /** Folder that `file` of media items is relative to; absent for records without files. */
  readonly folder?: string;
  /** True while the indexes that find affected members are missing: everything then changes. */
  readonly indexesLast?: boolean | undefined;
  readonly nowMs: number;
  readonly random: (bytes: number) => Uint8Array;
}

export interface WorldOptions extends RecordOptions {
  /** Statements for the same transaction. */
  readonly also?: readonly Statement[];
  /** Runs the transaction. Default: that of the database. */
  readonly batch?: Database['batch'];
  /** Called with the number of images stored and passwords hashed. */
  readonly onPrepared?: (count: number) => void;
}

/**
 * Stores a checked world and the statements in `also` as one transaction. Removals come first.
 *
 * @returns The media item whose image cannot be stored, if any; nothing else is then stored.
 */
export async function storeWorld(
  db: Database,
  world: World,
  { also = [], batch = db.batch, onPrepared = () => {}, ...options }: WorldOptions,
): Promise<BadRecord | undefined> {
  const { nowMs, random, passwords = createPasswords({ random }), alsoRemove = () => [] } = options;
  const { site, members, mediaItems, removed } = world;
  const pictures = createImages({ db, mediaFolder: options.mediaFolder, bucket: options.bucket });
  const images = await storeImages(pictures, mediaItems, { folder: options.folder, onStored: onPrepared });
  if ('problem' in images) return images;
  const media = { world, images, zonedTime: await timeOf(db, world), ...options };
  const changes = changeStatements(world, options.indexesLast ?? false);
  const onHashed = (count: number) => onPrepared(mediaItems.length + count);
  const statements = [
    ...changes.before,
    // Noted first: an import without checks of keys locks that table.
    ...removed.flatMap((id) => [noteRemoval(id, nowMs), ...removeMember(id), ...withdrawIntroduction(id, nowMs)]),
    ...chunks([...removed, ...members.map(({ id }) => id)]).flatMap((ids) => alsoRemove(idsWithoutMember(ids))),
    ...world.endedFriendships.flatMap(endFriendship),
    ...world.endedBlocks.map(endBlock),
    ...(site ? siteSettings(site) : []).map(([name, value]) => settingStatement(name, value)),
    ...recordStatements(world, options),
    ...(await passwordStatements(db, members, { passwords, nowMs, onHashed })),
    ...(await renewedUrls(db, media)),
    ...(await itemStatements(db, media)),
    ...changes.after,
  ];
  const unused = await releasedFiles(db, world, images);
  await batch([...statements, ...also]);
  await pictures.removeUnused(unused);
  return undefined;
}

async function timeOf(db: Database, { site, mediaItems }: World): Promise<ZonedTime> {
  if (mediaItems.length === 0) return createZonedTime('UTC'); // unused
  return createZonedTime(site?.timeZone ?? (await readSettings(db)).timeZone);
}

export function importNotes({ site, apps }: World): readonly string[] {
  const notes = [];
  if (site?.publicUrl !== undefined)
    notes.push('site.publicUrl is ignored: the address is set when the server starts.');
  if (apps.some(({ manifest }) => manifest !== undefined)) {
    notes.push('Manifests are ignored: register apps with gantry app add.');
  }
  return notes;
}
