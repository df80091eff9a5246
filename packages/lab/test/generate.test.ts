import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { generateWorld } from '../src/generate/generate-world.ts';
import { probeHas, probes } from '../src/generate/probes.ts';

interface Line {
  readonly kind: string;
  readonly id?: string;
  readonly userId?: string;
  readonly members?: readonly [string, string];
}

function world(members: number, seed = 1): readonly Line[] {
  return Array.from(generateWorld({ members, seed }), (line) => JSON.parse(line));
}

function degrees(lines: readonly Line[]): ReadonlyMap<string, number> {
  const friends = lines.filter(({ kind }) => kind === 'friendship').flatMap(({ members = [] }) => members);
  return new Map(
    Array.from(
      Map.groupBy(friends, (id) => id),
      ([id, all]) => [id, all.length],
    ),
  );
}

function sha256(members: number, seed: number): string {
  const hash = createHash('sha256');
  for (const line of generateWorld({ members, seed })) hash.update(line);
  return hash.digest('hex');
}

test('the same seed gives the same bytes on every machine, another seed another world', () => {
  expect(sha256(300, 7)).toBe('aa68d0457b4ede7403ea16a70f3ba6e12310bd1dff7bf253d0fd30f430781bb5');
  expect(sha256(300, 8)).not.toBe(sha256(300, 7));
});

test.each([1, 2, 3, 7, 80, 601])(
  'a world of %i members has that many, and no friendship twice or with oneself',
  (size) => {
    const lines = world(size);
    const members = lines.filter(({ kind }) => kind === 'member').map(({ id }) => id);
    const pairs = lines.filter(({ kind }) => kind === 'friendship').map((line) => line.members as [string, string]);
    expect(new Set(members).size).toBe(size);
    expect(members).toHaveLength(size);
    expect(new Set(pairs.map((pair) => pair.toSorted().join(' '))).size).toBe(pairs.length);
    expect(pairs.every(([first, second]) => first !== second)).toBe(true);
    expect(pairs.flat().every((id) => members.includes(id))).toBe(true);
  },
);

test('probes have the same number of friends and activities in every world (ADR 9)', () => {
  for (const size of [1_000, 3_000]) {
    const lines = world(size);
    const friends = degrees(lines);
    for (const probe of probes(size)) {
      expect(friends.get(probe.id), probe.id).toBe(probe.friends);
      expect(lines.filter(({ userId }) => userId === probe.id)).toHaveLength(probeHas.activities);
    }
  }
  expect(probes(1_000).map(({ id }) => id)).toEqual(
    [1, 2, 3, 4].flatMap((n) => [`probe-20-${n}`]).concat([1, 2, 3, 4].map((n) => `probe-150-${n}`)),
  );
  expect(probes(20_000)).toHaveLength(12);
});

test('friendships have a heavy tail: many members have few friends, few have very many', () => {
  const counts = [...degrees(world(5_000)).values()].toSorted((a, b) => a - b);
  const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  expect(mean / 2).toBeGreaterThan(17);
  expect(mean / 2).toBeLessThan(24);
  expect(counts[Math.floor(counts.length / 2)]).toBeLessThan(mean);
  expect(counts.at(-1)).toBeGreaterThan(1_000);
});
