import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openNew } from '@gantry/store';
import { expect, test } from 'vitest';
import { receiveDraft } from '../src/images/draft.ts';

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Options with a file that counts its writes. */
async function counting() {
  const counts = { writes: 0 };
  const options = {
    folder: await mkdtemp(join(tmpdir(), 'gantry-draft-')),
    maxBytes: 1_000_000,
    async openNew(path: string) {
      const file = await openNew(path);
      const append = file.appendFile.bind(file);
      file.appendFile = async (...args) => {
        counts.writes++;
        return append(...args);
      };
      return file;
    },
  };
  return { counts, options };
}

test('a photo in small chunks is hashed and written in blocks, and is the same file (security rule 34)', async () => {
  const bytes = new Uint8Array(200_000).map((_, index) => index % 251);
  const { counts, options } = await counting();
  const small = await receiveDraft(inChunks(bytes, 100), options);
  expect(counts.writes).toBe(4); // one per chunk would be 2,000
  const whole = await receiveDraft(inChunks(bytes, bytes.length), options);
  expect([small.digest, small.head]).toEqual([whole.digest, whole.head]);
  expect(Buffer.from(bytes).equals(await readFile(small.path))).toBe(true);
  expect((await receiveDraft(inChunks(bytes.subarray(0, 900), 1), options)).head.byteLength).toBe(16);
});

test('a photo in chunks of a byte is refused soon, and nothing of it stays', async () => {
  const { counts, options } = await counting();
  let taken = 0;
  async function* bytes() {
    for (;;) {
      taken++;
      yield new Uint8Array(1);
    }
  }
  await expect(receiveDraft(bytes(), options)).rejects.toMatchObject({ problem: 'image_incomplete' });
  expect([taken < 1_100, counts.writes, await readdir(options.folder)]).toEqual([true, 0, []]);
});
