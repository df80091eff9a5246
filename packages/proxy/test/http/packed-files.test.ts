import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createPackedFiles } from '../../src/http/packed-files.ts';

test('two contents are read and compressed at a time, 16 wait or work, and others are left as they are (security rule 25)', async () => {
  const files = createPackedFiles();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let begun = 0;
  const content = Buffer.alloc(1_000);
  async function read(): Promise<Uint8Array> {
    begun++;
    await released;
    return content;
  }
  const made = Array.from({ length: 18 }, (_, index) =>
    files.make({ digest: `${index % 17}`, size: 1_000, read }, 'gzip'),
  );
  expect(begun).toBe(2);
  release();
  const packed = await Promise.all(made);
  expect(packed.map((bytes) => bytes && gunzipSync(bytes).equals(content))).toEqual([
    ...Array(16).fill(true),
    undefined, // the 17th is refused
    true, // repeats the first content
  ]);
  expect(begun).toBe(16);
});
