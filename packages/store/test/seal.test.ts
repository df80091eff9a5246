import { seal, unseal } from '@gantry/store';
import fc from 'fast-check';
import { expect, test } from 'vitest';

const key = new Uint8Array(32).fill(7);
const wellFormed = fc.string({ unit: 'grapheme' });

test('opens what it sealed, whatever the text and its place', () => {
  fc.assert(
    fc.property(wellFormed, wellFormed, (text, context) => {
      expect(unseal(key, seal(key, text, context), context)).toBe(text);
    }),
  );
});

test('hides the text, differently each time (security rule 8)', () => {
  const sealed = seal(key, 'consumer secret');
  expect(sealed).toMatch(/^v1\.[A-Za-z0-9_-]+$/);
  expect(Buffer.from(sealed.slice(3), 'base64url').includes('consumer secret')).toBe(false);
  expect(seal(key, 'consumer secret')).not.toBe(sealed);
});

test('refuses a text of which any byte was changed', () => {
  const bytes = Buffer.from(seal(key, 'secret').slice(3), 'base64url');
  for (let index = 0; index < bytes.length; index += 1) {
    const altered = Buffer.from(bytes);
    altered.writeUInt8(bytes.readUInt8(index) ^ 1, index);
    expect(() => unseal(key, `v1.${altered.toString('base64url')}`)).toThrow('A sealed text was altered');
  }
});

test.each([
  ['with its end cut off', (sealed: string) => sealed.slice(0, -4)],
  ['with its tag cut short', () => `v1.${Buffer.alloc(13).toString('base64url')}`],
  ['of another version', (sealed: string) => sealed.replace('v1.', 'v2.')],
  ['that was never sealed', () => 'plain secret'],
  ['that is empty', () => ''],
])('refuses a text %s', (_, alter) => {
  expect(() => unseal(key, alter(seal(key, 'secret')))).toThrow('A sealed text was altered');
});

test('refuses a text that was copied to another row', () => {
  const sealed = seal(key, 'secret', 'consumer/a');
  expect(() => unseal(key, sealed, 'consumer/b')).toThrow('A sealed text was altered');
});

test('refuses another key', () => {
  expect(() => unseal(new Uint8Array(32), seal(key, 'secret'))).toThrow('A sealed text was altered');
});

test.each([0, 16, 31, 33])('refuses a key of %i bytes', (length) => {
  expect(() => seal(new Uint8Array(length), 'secret')).toThrow(`a sealing key has 32 bytes, this one has ${length}`);
  expect(() => unseal(new Uint8Array(length), 'v1.')).toThrow(TypeError);
});
