import { mkdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { readFileName } from './albums.ts';
import type { MediaItem } from './records.ts';
import { drawScene } from './scenes/scene.ts';

/** Draws the picture of every media item into `folder`. */
export async function writeImages(
  folder: string,
  { items, seed }: { items: readonly MediaItem[]; seed: string },
): Promise<void> {
  await mkdir(join(folder, 'images'), { recursive: true });
  const waiting = items.values(); // a queue that all workers share
  const work = async () => {
    for (const { file } of waiting) {
      const svg = drawScene({ ...readFileName(file), seed });
      await sharp(Buffer.from(svg)).jpeg({ quality: 80 }).toFile(join(folder, file));
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() + 1 }, work));
}
