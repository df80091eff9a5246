import { createRateLimit } from '@gantry/wire/runtime';
import { expect, test } from 'vitest';
import { bytesOfKey, createByteLimit } from '../../src/registry/byte-limit.ts';

test('a key sends two of the largest versions at once, then a megabyte a minute (security rule 35)', async () => {
  let nowMs = 0;
  const charge = createByteLimit(createRateLimit(() => nowMs).take);
  for (let sent = 0; sent < bytesOfKey.burst; sent += 262_144) await charge('a', 262_144);
  await expect(charge('a', 4_096)).rejects.toThrow('This key has sent too much: retry in 1 s.');
  await expect(charge('a', 262_144)).rejects.toThrow('retry in 15 s.');
  await charge('b', 262_144); // another key has a share of its own
  nowMs += 15_000;
  await charge('a', 262_144);
});
