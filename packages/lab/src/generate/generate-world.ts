import { activities } from './activities.ts';
import { apps, belongings } from './belongings.ts';
import { friendsMadeBy } from './friends.ts';
import { memberRecord } from './members.ts';
import { belongingsOfProbe, friendsOfProbe, probes, type Ring } from './probes.ts';
import { below, createDraw, type Draw, use } from './random.ts';

export interface GeneratedWorldOptions {
  /** At least 1. The probes are among them. */
  readonly members: number;
  readonly seed: number;
  /** Adds a consumer with a public secret, for tests: an administrator key for any member. */
  readonly testConsumer?: boolean;
}

/** The key that `testConsumer` adds. */
export const testConsumer = { key: 'test-admin', secret: 'known-to-everyone' } as const;

/**
 * Makes the lines of a believable world: about 20 friendships and 10 activities for each member,
 * few of whom have very many. The same options give the same lines on every machine. No line is
 * kept, so memory does not grow with the size.
 *
 * @returns Lines of JSON with their line ends, one record each (docs/world-file.md). A record comes
 * after those that it refers to.
 */
export function* generateWorld(options: GeneratedWorldOptions): Generator<string> {
  const { members, seed, testConsumer: known = false } = options;
  const draw = createDraw(seed);
  const special = probes(members);
  const size = members - special.length;
  yield json({ kind: 'site', name: `World of ${members} members, seed ${seed}` });
  for (const app of apps) yield json({ kind: 'app', ...app });
  // The probes come first, where readers of the file find them.
  for (const [index, probe] of special.entries()) yield member(draw, probe.id, size + index);
  for (let place = 0; place < size; place++) yield member(draw, idAt(place), place);
  if (known) yield json({ kind: 'consumer', ...testConsumer, consumerKind: 'admin', anyMember: true });
  yield* friendships(draw, { size, probes: special });
  yield* blocks(draw, size);
  for (const probe of special) yield* lines(belongingsOfProbe(probe));
  for (let place = 0; place < size; place++) yield* lines(belongings(draw, idAt(place), place));
  yield* activities(draw, { size, probes: special });
}

function* friendships(draw: Draw, { size, probes: special }: Ring): Generator<string> {
  for (const probe of special) {
    if (probe.id < probe.friend) yield pair('friendship', probe.id, probe.friend);
    for (const place of friendsOfProbe(probe, size)) yield pair('friendship', probe.id, idAt(place));
  }
  for (let place = 0; place < size; place++) {
    const id = idAt(place);
    for (const friend of friendsMadeBy(draw, { place, size })) yield pair('friendship', id, idAt(friend));
  }
}

/** One member in a hundred blocks someone. */
function* blocks(draw: Draw, size: number): Generator<string> {
  for (let place = 0; place < size; place++) {
    if (draw(use.block, place) % 100 !== 0) continue;
    const blocked = below(size, draw(use.block, place, 1));
    if (blocked !== place) yield pair('block', idAt(place), idAt(blocked));
  }
}

function member(draw: Draw, id: string, subject: number): string {
  return json({ kind: 'member', ...memberRecord(draw, id, subject) });
}

function idAt(place: number): string {
  return String(place + 1);
}

function pair(kind: string, first: string, second: string): string {
  return `{"kind":"${kind}","members":["${first}","${second}"]}\n`;
}

function* lines(records: Iterable<object>): Generator<string> {
  for (const record of records) yield json(record);
}

function json(record: object): string {
  return `${JSON.stringify(record)}\n`;
}
