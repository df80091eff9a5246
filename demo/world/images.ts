import { mkdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { readFileName } from './albums.ts';
import { createRandom } from './random.ts';
import type { MediaItemRecord } from './records.ts';
import { drawScene } from './scenes/scene.ts';

/** Draws the picture of every media item into `folder`. */
export async function writeImages(
  folder: string,
  { items, seed }: { items: readonly MediaItemRecord[]; seed: string },
): Promise<void> {
  await mkdir(join(folder, 'images'), { recursive: true });
  const grain = await createGrain(seed);
  const waiting = items.values(); // one queue, taken from by every worker
  await Promise.all(
    Array.from({ length: availableParallelism() + 1 }, async () => {
      for (const { file } of waiting) {
        const target = join(folder, file);
        const svg = Buffer.from(drawScene({ ...readFileName(file), seed }));
        await sharp(svg)
          .composite([{ input: grain, tile: true, blend: 'soft-light' }])
          .jpeg({ quality: 76 })
          .toFile(target);
      }
    }),
  );
}

// A little noise, as on film: flat colour looks drawn by a machine.
async function createGrain(seed: string): Promise<Buffer> {
  const random = createRandom(`${seed}/grain`);
  const size = 240;
  const pixels = Buffer.alloc(size * size * 4);
  for (let at = 0; at < pixels.length; at += 4) {
    pixels.fill(random.int(70, 185), at, at + 3);
    pixels[at + 3] = 110;
  }
  return sharp(pixels, { raw: { width: size, height: size, channels: 4 } })
    .png()
    .toBuffer();
}
