import { countText } from '@gantry/wire/runtime';
import type { WorldFile } from '../world-file.ts';
import type { Persona } from './world.ts';

interface Facts extends Omit<Persona, 'about'> {
  friends: number;
  posts: number;
  albums: number;
}

/**
 * Suggests viewers of a world: the member with the most friends, posts and albums, one with few
 * friends, and one without any, or at least no friend of the first.
 *
 * @param file Content of a world file that was imported.
 */
export function choosePersonas(file: unknown): readonly Persona[] {
  const facts = factsOf(file);
  const { friendships = [] } = file as WorldFile; // valid, since it was imported
  const byLife = [...facts.values()].sort((a, b) => life(b) - life(a)); // a stable sort keeps the order of the file
  const [first, ...others] = byLife;
  if (first === undefined) return [];
  const friendsOfFirst = new Set(friendships.filter((pair) => pair.includes(first.id)).flat());
  const few = others.findLast(({ friends }) => friends > 0);
  const stranger =
    others.findLast(({ friends }) => friends === 0) ??
    others.findLast((one) => one !== few && !friendsOfFirst.has(one.id));
  return [first, few, stranger].flatMap((one) => (one ? [personaOf(one)] : []));
}

/** Describes members of a world in one line each, in the order of `ids`. */
export function personasOf(file: unknown, ids: readonly string[]): readonly Persona[] {
  const facts = factsOf(file);
  return ids.flatMap((id) => facts.get(id) ?? []).map(personaOf);
}

function factsOf(file: unknown): ReadonlyMap<string, Facts> {
  const { members = [], friendships = [], activities = [], albums = [] } = file as Partial<WorldFile>;
  const facts = new Map<string, Facts>();
  for (const member of members) {
    if ('deleted' in member) continue;
    const { id, displayName: name } = member;
    facts.set(id, { id, name, friends: 0, posts: 0, albums: 0 });
  }
  for (const [one, other] of friendships) for (const id of [one, other]) count(facts.get(id), 'friends');
  for (const { userId } of activities) count(facts.get(userId), 'posts');
  for (const { ownerId } of albums) count(facts.get(ownerId), 'albums');
  return facts;
}

function personaOf({ id, name, ...counts }: Facts): Persona {
  return { id, name, about: aboutOf(counts) };
}

/** Describes a member in one line. */
function aboutOf({ friends, posts, albums }: Pick<Facts, 'friends' | 'posts' | 'albums'>): string {
  const parts = [
    friends === 0 ? 'no friends' : countText(friends, 'friend'),
    ...(posts > 0 ? [countText(posts, 'post')] : []),
    ...(albums > 0 ? [countText(albums, 'album')] : []),
  ];
  return parts.join(', ');
}

function life({ friends, posts, albums }: Facts): number {
  return friends + posts + 3 * albums;
}

function count(facts: Facts | undefined, what: 'friends' | 'posts' | 'albums'): void {
  if (facts) facts[what] += 1;
}
