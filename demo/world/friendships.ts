import type { Neighbour } from './members.ts';
import type { Random } from './random.ts';

export type Pair = readonly [string, string];

/** Friends by member id. */
export type Friends = ReadonlyMap<string, ReadonlySet<string>>;

const friendsOfFirst = 47;

/**
 * Generates friendships in circles with a few ties between them. Most members know some of their
 * own circle, popular ones are met more often, and every thirtieth is new and has no friends.
 */
export function createFriendships(random: Random, neighbours: readonly Neighbour[]): Pair[] {
  const ids = neighbours.map(({ member }) => member.id);
  const friends = new Map(ids.map((id) => [id, new Set<string>()]));
  const newcomers = new Set(ids.filter((id) => Number(id) % 30 === 0));
  const settled = neighbours.filter(({ member }) => !newcomers.has(member.id));
  const befriend = (a: string, b: string) => {
    friends.get(a)?.add(b);
    friends.get(b)?.add(a);
  };

  for (const { member, circles, energy } of settled) {
    if (member.id === '1') continue;
    const near = settled.filter((other) => other.circles.some((circle) => circles.includes(circle)));
    const meetings = 2 + Math.floor(energy * 16);
    for (let meeting = 0; meeting < meetings; meeting++) {
      const pool = random.chance(0.88) ? near : settled;
      // Prefers the better-known of two candidates, which makes a few members very well known.
      const [a, b] = [random.pick(pool), random.pick(pool)].map((one) => one.member.id) as [string, string];
      const popular = (friends.get(a)?.size ?? 0) >= (friends.get(b)?.size ?? 0) ? a : b;
      if (popular !== member.id && popular !== '1') befriend(member.id, popular);
    }
  }

  const already = friends.get('1') as Set<string>;
  const mine = new Set(neighbours[0]?.circles);
  const likely = random.shuffled(settled.filter((one) => one.circles.some((circle) => mine.has(circle))));
  for (const { member } of likely) {
    if (already.size >= friendsOfFirst) break;
    if (member.id !== '1') befriend('1', member.id);
  }
  return [...friends].flatMap(([id, others]) =>
    [...others].filter((other) => Number(id) < Number(other)).map((other): Pair => [id, other]),
  );
}

export function friendsByMember(pairs: readonly Pair[]): Friends {
  const friends = new Map<string, Set<string>>();
  const add = (id: string, other: string) => friends.set(id, (friends.get(id) ?? new Set()).add(other));
  for (const [a, b] of pairs) {
    add(a, b);
    add(b, a);
  }
  return friends;
}

/** Returns pairs without a friendship; the first of each pair blocked the second. */
export function createBlocks(random: Random, friends: Friends, ids: readonly string[]): Pair[] {
  const strangers = (a: string, b: string) => a !== b && !friends.get(a)?.has(b);
  const blocks: Pair[] = [];
  while (blocks.length < 9) {
    const [blocker, blocked] = [random.pick(ids), blocks.length === 0 ? '1' : random.pick(ids)];
    const exists = blocks.some(([one, other]) => one === blocker && other === blocked);
    if (strangers(blocker, blocked) && blocker !== '1' && !exists) blocks.push([blocker, blocked]);
  }
  return blocks;
}
