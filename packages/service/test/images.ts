import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';

/** Creates a folder with the images that test worlds name. */
export async function imageFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-world-'));
  const picture = (background: string) => sharp({ create: { width: 400, height: 200, channels: 3, background } });
  await writeFile(join(folder, 'red.jpg'), await picture('red').jpeg().toBuffer());
  await writeFile(join(folder, 'blue.png'), await picture('blue').png().toBuffer());
  await writeFile(join(folder, 'disguised.png'), await picture('green').webp().toBuffer());
  await writeFile(join(folder, 'drawing.svg'), '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
  await writeFile(join(folder, 'text.jpg'), 'no picture');
  await writeFile(join(folder, 'cut.png'), (await picture('blue').png().toBuffer()).subarray(0, 60));
  return folder;
}
