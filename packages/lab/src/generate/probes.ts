import { apps, mediaItem } from './belongings.ts';

/**
 * A member whom every generated world has, whatever its size, with the same number of friends, activities and everything
 * else: what it costs to read theirs can be compared between worlds.
 */
export interface Probe {
  readonly id: string;
  readonly friends: number;
  /** Another one of the same kind, who is a friend. */
  readonly friend: string;
}

const degrees = [20, 150, 5_000] as const;
const probesOfDegree = 4;

/** What each probe has. Half of the activities were posted through the app `notes`. */
export const probeHas = { activities: 40, albums: 3, mediaItems: 30, keys: 5 } as const;

/** The probes of a world: `probe-20-1`, `probe-20-2`, `probe-150-1`, … as far as it has members enough. */
export function probes(members: number): readonly Probe[] {
  return degrees
    .filter((friends) => members >= 4 * friends)
    .flatMap((friends) =>
      Array.from({ length: probesOfDegree }, (_, index) => ({
        id: `probe-${friends}-${index + 1}`,
        friends,
        friend: `probe-${friends}-${(index ^ 1) + 1}`, // 1 and 2 are friends, 3 and 4 are
      })),
    );
}

/** The places of a probe's friends on the ring, spread evenly; one more friend is the other probe. */
export function friendsOfProbe({ friends, id }: Probe, size: number): readonly number[] {
  const first = Number(id.at(-1));
  return Array.from({ length: friends - 1 }, (_, index) => (Math.floor((index * size) / (friends - 1)) + first) % size);
}

export function* belongingsOfProbe({ id }: Probe): Generator<object> {
  const appId = apps[0].id;
  yield { kind: 'install', appId, memberId: id, visibility: 'friends' };
  const keys = Array.from({ length: probeHas.keys }, (_, key) => [`item.${key + 1}`, 'Buy varnish']);
  yield { kind: 'appData', appId, memberId: id, data: Object.fromEntries(keys) };
  for (let album = 1; album <= probeHas.albums; album++) {
    const albumId = `${id}-${album}`;
    yield { kind: 'album', id: albumId, ownerId: id, title: `Album ${album}` };
    for (let item = 1; item <= probeHas.mediaItems; item++) yield mediaItem({ albumId, item, visibility: 'site' });
  }
}
