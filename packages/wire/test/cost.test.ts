import { parseJson, resolveRequest } from '@gantry/wire';
import { expect, test } from 'vitest';
import { growth, mostGrowth } from './growth.ts';

const asker = { app: 'notes', viewer: '7', owner: '9' };

/** Resolves a call, or refuses it: both are work that its sender chooses. */
function resolved(operation: string, params: Readonly<Record<string, unknown>>): () => unknown {
  return () => {
    try {
      return resolveRequest({ operation, params }, asker);
    } catch (error) {
      return error;
    }
  };
}

const texts = (count: number): string[] => Array.from({ length: count }, (_, index) => `key-${index}`);
const layered = (size: number): string => `%${'25'.repeat(size)}41`;

/** Decodes until nothing changes: each round takes one layer off, and copies the rest. */
function decodedToTheEnd(name: string): string {
  for (let decoded = name; ; name = decoded) {
    decoded = decodeURIComponent(name);
    if (decoded === name) return name;
  }
}

test.each<[string, number, (size: number) => () => unknown]>([
  ['a name of many layers of %', 2_000, (size) => resolved('people.get', { [layered(size)]: 1 })],
  [
    'names of two layers',
    100,
    (size) => resolved('people.get', Object.fromEntries(texts(size).map((name) => [`${name}%2525`, 1]))),
  ],
  [
    'names within the bounds',
    100,
    (size) => resolved('people.get', Object.fromEntries(texts(size).map((n) => [n, 1]))),
  ],
  ['keys as a list', 100, (size) => resolved('appdata.get', { keys: texts(size) })],
  ['keys as text', 100, (size) => resolved('appdata.get', { keys: texts(size).join() })],
  ['keys beyond the bound', 1_500, (size) => resolved('appdata.get', { keys: texts(size).join() })],
  ['fields of people', 100, (size) => resolved('people.get', { fields: texts(size) })],
  [
    'AppData of many keys',
    3_000,
    (size) => resolved('appdata.update', { data: Object.fromEntries(texts(size).map((n) => [n, n])) }),
  ],
  ['AppData as text, deep', 5_000, (size) => resolved('appdata.update', { data: '['.repeat(size) })],
  [
    'JSON of backslashes and quotes',
    1_500,
    (size) => {
      const json = JSON.stringify('\\"'.repeat(size));
      return () => parseJson(json);
    },
  ],
])('%s: the cost of resolving a call grows no faster than the call (security rule 25)', async (_, n, prepare) => {
  expect(await growth(n, prepare)).toBeLessThan(mostGrowth);
});

test('control: decoding a name until nothing changes grows with its square (security rule 25)', async () => {
  const decode = (size: number) => () => decodedToTheEnd(layered(size));
  expect(await growth(500, decode)).toBeGreaterThan(mostGrowth);
});
