import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countStrings } from '../src/count-strings.ts';

/** Strings of a value as JSON writes it, names of members included. */
function stringsOf(value: unknown): number {
  if (typeof value === 'string') return 1;
  if (typeof value !== 'object' || value === null) return 0;
  const members = Object.values(value).map(stringsOf);
  return members.reduce((sum, count) => sum + count, Array.isArray(value) ? 0 : members.length);
}

test('strings of any JSON are counted as a parser finds them (security rule 25)', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(countStrings(JSON.stringify(value), 1_000_000)).toBe(stringsOf(value));
    }),
  );
});

test('the count ends with one more than it may be', () => {
  expect(countStrings(JSON.stringify(Array(100).fill('a')), 10)).toBe(11);
});
