import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createActivities } from './world/activities.ts';
import { createAlbums } from './world/albums.ts';
import { createAppData } from './world/app-data.ts';
import { createBlocks, createFriendships, friendsByMember } from './world/friendships.ts';
import { writeImages } from './world/images.ts';
import { apps, createInstalls, hasApp } from './world/installs.ts';
import { createNeighbours } from './world/members.ts';
import { createRandom } from './world/random.ts';
import type { World } from './world/records.ts';

export interface WorldOptions {
  /** Time of the world's creation in ms: the newest activities are minutes old then. */
  readonly now: number;
  readonly seed?: string;
}

export interface WrittenWorld {
  /** Path of `world.json`. */
  readonly file: string;
  /** False when the folder already held this world, with dates of an earlier day. */
  readonly written: boolean;
}

const edition = 1; // incremented with the generator; folders of an older edition are rewritten
const defaultSeed = 'Tern Quay';

/**
 * Generates the people of Tern Quay with their activities and photos. Equal seed and moment give an
 * equal world.
 */
export function createWorld({ now, seed = defaultSeed }: WorldOptions): World {
  const random = createRandom(seed);
  const neighbours = createNeighbours(random.fork('members'), { count: 320, year: new Date(now).getUTCFullYear() });
  const ids = neighbours.map(({ member }) => member.id);
  const friendships = createFriendships(random.fork('friendships'), neighbours);
  const friends = friendsByMember(friendships);
  const installs = createInstalls(random.fork('installs'), neighbours);
  const { albums, mediaItems } = createAlbums(random.fork('albums'), {
    neighbours,
    hasPhotos: hasApp(installs, 'photos'),
    now,
  });
  return {
    site: { name: 'Tern Quay' },
    members: neighbours.map(({ member }) => member),
    friendships,
    blocks: createBlocks(random.fork('blocks'), friends, ids),
    apps,
    installs,
    activities: createActivities(random.fork('activities'), { neighbours, friends, installs, albums, mediaItems, now }),
    appData: createAppData(random.fork('appData'), { ids, hasNotes: hasApp(installs, 'notes'), now }),
    albums,
    mediaItems,
  };
}

/** Writes `world.json` and its pictures into `folder`, unless they exist. */
export async function writeWorld(folder: string, { now, seed = defaultSeed }: WorldOptions): Promise<WrittenWorld> {
  const file = join(folder, 'world.json');
  const stampFile = join(folder, 'edition.txt');
  const stamp = `${edition} ${seed}\n`;
  if ((await readFile(stampFile, 'utf8').catch(() => '')) === stamp) return { file, written: false };
  const world = createWorld({ now, seed });
  await mkdir(folder, { recursive: true });
  await writeImages(folder, { items: world.mediaItems, seed });
  await writeFile(`${file}.new`, `${JSON.stringify(world, null, 1)}\n`);
  await rename(`${file}.new`, file);
  await writeFile(stampFile, stamp); // last: an interrupted write is repeated
  return { file, written: true };
}
