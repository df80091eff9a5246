import { isRegular, type Neighbour } from './members.ts';
import type { Random } from './random.ts';
import type { Install, Level, World } from './records.ts';

export const apps: World['apps'] = [
  { id: 'friends', title: 'Friends', url: '/gantry/apps/friends/' },
  { id: 'stream', title: 'Stream', url: '/gantry/apps/stream/' },
  { id: 'notes', title: 'Notes', url: '/gantry/apps/notes/' },
  { id: 'photos', title: 'Photos', url: '/gantry/apps/photos/' },
];

const popularity: Readonly<Record<string, number>> = { friends: 0.8, stream: 0.92, notes: 0.5, photos: 0.66 };

/** Generates installs: the members of each app, and the audience of their activities. */
export function createInstalls(random: Random, neighbours: readonly Neighbour[]): Install[] {
  return neighbours.flatMap((neighbour) =>
    apps
      .filter((app) => isRegular(neighbour) || random.chance(popularity[app.id] ?? 0))
      .map((app) => ({
        appId: app.id,
        memberId: neighbour.member.id,
        visibility: isRegular(neighbour) ? 'site' : pickLevel(random),
      })),
  );
}

export function hasApp(installs: readonly Install[], appId: string): (memberId: string) => boolean {
  const members = new Set(installs.filter((install) => install.appId === appId).map((install) => install.memberId));
  return (memberId) => members.has(memberId);
}

function pickLevel(random: Random): Level {
  return random.weighted({ site: 60, friends: 32, private: 8 });
}
