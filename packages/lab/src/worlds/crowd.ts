import { titles } from '../generate/activities.ts';
import { albumTitles } from '../generate/belongings.ts';
import { memberRecord } from '../generate/members.ts';
import { createDraw } from '../generate/random.ts';
import { activitiesInOrder, isoTime, minuteMs, pictureAddresses, type WorldFile } from '../world-file.ts';
import { personasOf } from './personas.ts';
import type { World, WorldOptions } from './world.ts';

const friends = 5_000;
const albums = 120;
const pictures = 250;

/** The first member has 5,000 friends, each with an activity, and pages of albums and pictures. */
export function crowd({ now = Date.now, apps = [] }: WorldOptions = {}): World {
  const nowMs = now();
  const draw = createDraw(5_000);
  const ids = Array.from({ length: friends + 2 }, (_, index) => `m-${index + 1}`);
  const friendIds = ids.slice(1, -1);
  const stranger = ids.at(-1) as string;
  const file: WorldFile = {
    site: { name: 'Crowd' },
    members: ids.map((id, subject) => ({
      ...memberRecord(draw, id, subject),
      ...(id === 'm-1' && { displayName: 'Ada Lovell' }),
    })),
    friendships: [
      ...friendIds.map((id) => ['m-1', id] as const),
      ...friendIds.slice(1).map((id, index) => [friendIds[index] as string, id] as const),
    ],
    apps: apps.map((id) => ({ id, title: id })),
    installs: apps.flatMap((appId) =>
      friendIds.filter((_, index) => index % 2 === 1).map((memberId) => ({ appId, memberId })),
    ),
    activities: activitiesInOrder(
      friendIds.map((userId, turn) => ({
        userId,
        title: titles[(turn * 5) % titles.length] as string,
        atMs: nowMs - turn * 3 * minuteMs,
      })),
    ),
    albums: Array.from({ length: albums }, (_, index) => ({
      id: `a-${index + 1}`,
      ownerId: 'm-1',
      title: `${albumTitles[index % albumTitles.length]} ${index + 1}`,
    })),
    mediaItems: Array.from({ length: pictures }, (_, index) => ({
      id: `p-${index + 1}`,
      albumId: 'a-1',
      title: `Picture ${index + 1}`,
      created: isoTime(nowMs - index * minuteMs),
      ...pictureAddresses(`p-${index + 1}`),
    })),
  };
  return {
    name: 'crowd',
    file,
    folder: '.',
    personas: personasOf(file, ['m-1', 'm-2', stranger]),
    oddities: [
      { id: 'crowd/friends', what: `${friends.toLocaleString('en')} friends, each with an activity.`, member: 'm-1' },
      { id: 'crowd/albums', what: `${albums} albums, the first with ${pictures} pictures.`, member: 'm-1' },
    ],
  };
}
