import { expect, test } from 'vitest';
import { growth, mostGrowth } from '../../../wire/test/growth.ts';
import { createTape, diffTapes, readTape, redactTape, type Tape, writeTape } from '../../src/tape/index.ts';

const head = { host: 'lab', app: 'notes', scenario: {} } as const;
const eventOf = (data: unknown) =>
  createTape(head, [{ lab: 'lab', number: 1, atMs: 0, kind: 'event', name: 'x', data }]);
const eventsOf = (count: number): Tape =>
  createTape(
    head,
    Array.from({ length: count }, (_, number) => ({
      lab: 'lab',
      number,
      atMs: number,
      kind: 'event',
      name: 'x',
      data: `${number} w`,
    })),
  );

const texts: readonly [what: string, text: (size: number) => unknown][] = [
  ['one word', (size) => 'w'.repeat(size * 20)],
  ['digits', (size) => '7'.repeat(size * 20)],
  ['dots', (size) => 'a.'.repeat(size * 10)],
  ['signs of domains', (size) => '@a-'.repeat(size * 10)],
  ['slashes', (size) => '/'.repeat(size * 20)],
  ['days that are none', (size) => '2026-11-20T'.repeat(size * 2)],
  ['brackets', (size) => '['.repeat(size * 20)],
  ['other words', (size) => Array.from({ length: size }, (_, index) => `w${index.toString(36)}y`).join(' ')],
];

test.each(texts)('redacting %s costs as much as there is (security rule 25)', async (_, text) => {
  const cost = await growth(1_500, (size) => {
    const tape = eventOf(text(size));
    return () => redactTape(tape);
  });
  expect(cost).toBeLessThan(mostGrowth);
});

test('reading a tape costs as much as it is long (security rule 25)', async () => {
  const cost = await growth(500, (size) => {
    const text = writeTape(eventsOf(size));
    return () => readTape(text);
  });
  expect(cost).toBeLessThan(mostGrowth);
});

test('a diff of tapes that have nothing in common ends: beyond a bound lines are compared by their place', () => {
  const [a, b] = [eventsOf(5_000), eventsOf(10_000)];
  const others = { ...b, entries: b.entries.map((entry) => ({ ...entry, offsetMs: entry.offsetMs + 0.5 })) };
  expect(diffTapes(a, others).differences).toBe(10_000);
});
