import { expect, test } from 'vitest';
import { bytesOfKey, createByteLimit } from '../../src/registry/byte-limit.ts';

test('a key sends two of the largest versions at once, then a megabyte a minute (security rule 35)', () => {
  let nowMs = 0;
  const limit = createByteLimit(() => nowMs);
  for (let sent = 0; sent < bytesOfKey.burst; sent += 262_144) {
    limit.require('a');
    limit.spend('a', 262_144);
  }
  expect(() => limit.require('a')).toThrow('This key has sent too much: retry in 1 s.');
  limit.spend('a', 262_144);
  expect(() => limit.require('a')).toThrow('retry in 15 s.');
  limit.require('b'); // another key has a share of its own
  nowMs += 16_000;
  limit.require('a');
});

test('an empty chunk counts as its row costs', () => {
  const limit = createByteLimit(() => 0);
  for (let sent = 0; sent < bytesOfKey.burst; sent += 4_096) limit.spend('a', 0);
  expect(() => limit.require('a')).toThrow('too much');
});
