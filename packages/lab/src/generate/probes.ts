import { apps, mediaItem } from './belongings.ts';

/**
 * A member that every generated world has, with the same numbers of friends, activities and
 * records: the cost of reading them can be compared between worlds of different sizes.
 */
export interface Probe {
  readonly id: string;
  readonly friends: number;
  /** Id of another probe of the same kind, who is a friend. */
  readonly friend: string;
}

/** Members of a generated world: those on the ring of friends, and the probes. */
export interface Ring {
  /** Members on the ring; the id of place p is p + 1. */
  readonly size: number;
  readonly probes: readonly Probe[];
}

const degrees = [20, 150, 5_000] as const;
const probesOfDegree = 4;

/** Records of each probe. Half of its activities were posted through the app `notes`. */
export const probeHas = { activities: 40, albums: 3, mediaItems: 30, keys: 5 } as const;

/** Returns the probes of a world: four of each number of friends that its size allows. */
export function probes(members: number): readonly Probe[] {
  return degrees
    .filter((friends) => members >= 4 * friends)
    .flatMap((friends) =>
      Array.from({ length: probesOfDegree }, (_, index) => ({
        id: `probe-${friends}-${index + 1}`,
        friends,
        friend: `probe-${friends}-${(index ^ 1) + 1}`, // pairs: 1 and 2, 3 and 4
      })),
    );
}

/** Returns the places of a probe's friends on the ring, spread evenly, without the other probe. */
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
    for (let item = 1; item <= probeHas.mediaItems; item++) yield mediaItem(albumId, item);
  }
}
