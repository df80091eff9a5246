import type { Persona } from './world.ts';
import type { WorldFile } from './world-file.ts';

/** Describes members of a world in one line each, in this order. Members are named by id. */
export function personasOf(file: WorldFile, ids: readonly string[]): readonly Persona[] {
  const { members, friendships = [], albums = [] } = file;
  return ids.flatMap((id): Persona[] => {
    const member = members.find((each) => each.id === id);
    if (member === undefined || !('displayName' in member)) return [];
    const friends = friendships.filter((pair) => pair.includes(id)).length;
    const own = albums.filter(({ ownerId }) => ownerId === id).length;
    const counts = [counted(friends, 'friend'), ...(own > 0 ? [counted(own, 'album')] : [])];
    return [{ id, name: member.displayName, about: counts.join(', ') }];
  });
}

function counted(count: number, noun: string): string {
  const number = count === 0 ? 'no' : count.toLocaleString('en');
  return `${number} ${noun}${count === 1 ? '' : 's'}`;
}
