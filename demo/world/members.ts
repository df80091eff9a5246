import { optionalPersonFields } from '@gantry/wire';
import { type Circle, circles, circleWeights, introductions, jobs } from './circles.ts';
import { homeRegions, type Origin, origins } from './names.ts';
import type { Random } from './random.ts';
import type { Level, Member } from './records.ts';

/** A member with the facts from which the rest of the world is generated. */
export interface Neighbour {
  readonly member: Member;
  readonly circles: readonly Circle[];
  readonly language: string;
  /** Activity on the site: 0 is never, 1 is most days. */
  readonly energy: number;
}

const first: Neighbour = {
  member: {
    id: '1',
    displayName: 'Maren Holloway',
    thumbnailUrl: '/avatars/1.svg',
    aboutMe:
      'Seat three on Thursdays, plot 22 at weekends, in the sea when somebody makes me. Secretary of the regatta committee, so: yes, I have seen your email.',
    region: 'Cornwall',
    birthday: '1984/05/17',
    gender: 'female',
    language: 'en',
    visibility: { aboutMe: 'site', addresses: 'site', birthday: 'friends', age: 'friends', gender: 'site' },
  },
  circles: ['gigs', 'plots', 'swimmers', 'cameras'],
  language: 'en',
  energy: 0.9,
};

/**
 * Members up to this id have every app, friends and an album, so that the first few members have
 * content.
 */
const regulars = 12;

export function isRegular({ member }: Neighbour): boolean {
  return Number(member.id) <= regulars;
}

/** Generates members `1` to `count`. A first visit is signed in as member `1`. */
export function createNeighbours(random: Random, { count, year }: { count: number; year: number }): Neighbour[] {
  const taken = new Set([first.member.displayName]);
  const neighbours = [first];
  while (neighbours.length < count) {
    neighbours.push(createNeighbour(random, { id: String(neighbours.length + 1), year, taken }));
  }
  return neighbours;
}

function createNeighbour(
  random: Random,
  { id, year, taken }: { id: string; year: number; taken: Set<string> },
): Neighbour {
  const origin = pickOrigin(random);
  const gender = random.pick(['female', 'male'] as const);
  const displayName = uniqueName(random, { origin, gender, taken });
  const mine = pickCircles(random);
  const region = random.chance(0.45) ? random.pick(origin.regions) : random.pick(homeRegions);
  const language = random.chance(0.7) ? origin.language : 'en';
  const month = String(random.int(1, 12)).padStart(2, '0');
  const day = String(random.int(1, 28)).padStart(2, '0');
  const birthday = `${year - birthAge(random)}/${month}/${day}`;
  const member: Member = {
    id,
    displayName,
    thumbnailUrl: `/avatars/${id}.svg`,
    ...(random.chance(0.86) && { aboutMe: introduction(random, mine[0]) }),
    ...(random.chance(0.9) && { region }),
    ...(random.chance(0.85) && { birthday }),
    ...(random.chance(0.88) && { gender }),
    ...(random.chance(0.95) && { language }),
    ...(random.chance(0.75) && { visibility: pickVisibility(random) }),
  };
  const energy = random.next() ** 2;
  return { member, circles: mine, language, energy: Number(id) <= regulars ? Math.max(energy, 0.45) : energy };
}

function pickOrigin(random: Random): Origin {
  const weights = Object.fromEntries(Object.entries(origins).map(([name, { weight }]) => [name, weight]));
  return origins[random.weighted(weights)] as Origin;
}

function uniqueName(
  random: Random,
  { origin, gender, taken }: { origin: Origin; gender: 'female' | 'male'; taken: Set<string> },
): string {
  for (let attempt = 0; ; attempt++) {
    const first = random.pick(gender === 'female' ? origin.women : origin.men);
    const family = random.pick(gender === 'male' ? (origin.mensFamilies ?? origin.families) : origin.families);
    const plain = origin.familyFirst === undefined ? `${first} ${family}` : `${family}${origin.familyFirst}${first}`;
    // Small name pools run out; an initial then distinguishes members with the same name.
    const name = attempt < 12 ? plain : `${plain} ${random.pick([...'ABDEFGHJKLMRSTV'])}.`;
    if (taken.has(name)) continue;
    taken.add(name);
    return name;
  }
}

function pickCircles(random: Random): [Circle, ...Circle[]] {
  const main = random.weighted(circleWeights);
  const others = circles.filter((circle) => circle !== main && random.chance(0.12));
  return [main, ...others];
}

function introduction(random: Random, circle: Circle): string {
  const text = random.pick(introductions[circle]).replace('{job}', random.pick(jobs));
  return text.replace(/(^|\. )([a-z])/g, (_, start: string, letter: string) => start + letter.toUpperCase());
}

// Most members are between thirty and seventy, some are teenagers, one or two very old.
function birthAge(random: Random): number {
  return 16 + random.int(0, 28) + random.int(0, 28) + (random.chance(0.15) ? random.int(0, 18) : 0);
}

function pickVisibility(random: Random): Record<string, Level> {
  const level = () => random.weighted({ site: 5, friends: 3, private: 2 });
  const visibility: Record<string, Level> = {};
  for (const field of optionalPersonFields) {
    const chosen = level();
    if (random.chance(0.6)) visibility[field] = chosen;
  }
  return visibility;
}
