import type { Database, Statement } from '@gantry/store';
import { createPasswords, type Passwords } from '../account/passwords.ts';
import type { StoredImage } from '../images/images.ts';
import { withdrawIntroduction } from '../introduce-member.ts';
import { readSettings, settingStatement } from '../settings.ts';
import { createSiteTime, type SiteTime } from '../site-time.ts';
import { changesOf } from './changes.ts';
import { itemStatements, outdatedUrls } from './media-statements.ts';
import { passwordStatements } from './password-statements.ts';
import { recordStatements } from './record-statements.ts';
import { endBlock, endFriendship, removeMember } from './remove-member.ts';
import { siteSettings, type World } from './schema.ts';

export interface StoreOptions {
  /** What `file` of a media item is relative to; absent, where records come without files. */
  readonly folder?: string;
  /** Where the service serves media from. */
  readonly mediaFolder: string;
  /** 32 bytes: seals consumer secrets. */
  readonly secretKey: Uint8Array;
  /** Default: a few at a time, at today's cost. */
  readonly passwords?: Passwords | undefined;
  /** Whether indexes are missing, by which to find whom a change concerns: everything changed then. */
  readonly indexesLast?: boolean | undefined;
  /** What others keep of a member in the same database: goes with the member, in the same transaction. */
  readonly alsoRemove?: ((member: string) => readonly Statement[]) | undefined;
  readonly nowMs: number;
  readonly random: (bytes: number) => Uint8Array;
}

export interface WorldWork {
  /** By media item. */
  readonly images: ReadonlyMap<string, StoredImage>;
  /** Gets how many of the passwords are done. */
  readonly onHashed?: ((count: number) => void) | undefined;
}

/** The statements that store checked records, for one transaction. What they depend on is read now. */
export async function worldStatements(
  db: Database,
  world: World,
  { images, onHashed = () => {}, ...options }: StoreOptions & WorldWork,
): Promise<readonly Statement[]> {
  const { nowMs, random, passwords = createPasswords({ random }), alsoRemove = () => [] } = options;
  const media = { world, images, siteTime: await timeOf(db, world), ...options };
  const changes = changesOf(world, options.indexesLast ?? false);
  return [
    ...changes.before,
    ...world.removed.flatMap((id) => [...removeMember(id), ...withdrawIntroduction(id, nowMs), ...alsoRemove(id)]),
    ...world.endedFriendships.flatMap(endFriendship),
    ...world.endedBlocks.map(endBlock),
    ...(world.site ? siteSettings(world.site) : []).map(([name, value]) => settingStatement(name, value)),
    ...recordStatements(world, options),
    ...(await passwordStatements(db, world.members, { passwords, nowMs, onHashed })),
    ...(await outdatedUrls(db, media)),
    ...(await itemStatements(db, media)),
    ...changes.after,
  ];
}

async function timeOf(db: Database, { site, mediaItems }: World): Promise<SiteTime> {
  if (mediaItems.length === 0) return createSiteTime('UTC'); // nothing asks it
  return createSiteTime(site?.timeZone ?? (await readSettings(db)).timeZone);
}

export function notesOn({ site, apps }: World): readonly string[] {
  const notes = [];
  if (site?.publicUrl !== undefined)
    notes.push('site.publicUrl is left out: the address is set where the server starts.');
  if (apps.some(({ manifest }) => manifest !== undefined)) {
    notes.push('Manifests are left out: register apps with gantry app add.');
  }
  return notes;
}
