import { expect, test } from 'vitest';
import { bearerKeyId, isBearerKey, newBearerKey } from '../src/index.ts';

test('a key is found by its id and known by its digest, which is not the key (decision 82)', () => {
  const { id, key, digest } = newBearerKey();
  expect(bearerKeyId(key)).toBe(id);
  expect(isBearerKey(key, digest)).toBe(true);
  expect(digest).not.toContain(key.slice(17));
  expect(isBearerKey(newBearerKey().key, digest)).toBe(false);
  expect(isBearerKey(key, undefined)).toBe(false);
  expect(isBearerKey('', undefined)).toBe(false); // its digest stands for an unknown id
});

test.each([
  '',
  'x',
  `${'0'.repeat(16)}.`,
  `${'0'.repeat(16)}.${'a'.repeat(44)}`,
  `${'G'.repeat(16)}.${'a'.repeat(43)}`,
])('a text that is no key has no id: %j', (text) => {
  expect(bearerKeyId(text)).toBeUndefined();
});

test('no two keys are the same, and the same bytes make the same key', () => {
  expect(newBearerKey().key).not.toBe(newBearerKey().key);
  const bytes = (count: number) => new Uint8Array(count);
  expect(newBearerKey(bytes)).toEqual(newBearerKey(bytes));
});
