import { expect, test } from 'vitest';
import { createRandom } from '../src/random.ts';

test('each byte of the source is given once, and many are fetched at a time', () => {
  let fetched = 0;
  const random = createRandom((pool) => {
    for (let index = 0; index < pool.length; index += 4) Buffer.from(pool.buffer).writeUInt32LE(fetched++, index);
  });
  const seen = new Set<string>();
  for (let count = 0; count < 2_000; count++) seen.add(Buffer.from(random(16)).toString('hex'));
  expect(seen.size).toBe(2_000);
  expect(fetched).toBe(8 * 1024); // 32,000 bytes out of eight pools of 4,096
});

test('bytes have the requested length, and are not shared', () => {
  const random = createRandom();
  const first = random(18);
  const copy = Uint8Array.from(first);
  for (let count = 0; count < 1_000; count++) random(12);
  expect([first.length, random(1).length, random(4096).length]).toEqual([18, 1, 4096]);
  expect(first).toEqual(copy);
  expect(first).not.toEqual(new Uint8Array(18));
});
