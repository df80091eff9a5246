import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { folderForTest } from '../../wire/test/temporary-folder.ts';
import { loadStoryThread } from '../src/stories/story-thread.ts';

let folder: string;
beforeEach(() => {
  folder = folderForTest();
});

test('a file that never ends its loading is given up, and the process goes on', async () => {
  const file = join(folder, 'loop.gadget.mjs');
  await writeFile(file, 'for (;;);');
  const { error } = await loadStoryThread(file, { loadMs: 300 });
  expect(error?.message).toBe('The file has not ended after 0.3 s.');
});

test('a function that never returns its world is given up', async () => {
  const file = join(folder, 'loop.gadget.mjs');
  await writeFile(file, 'export const loop = { world() { for (;;); } };');
  const thread = await loadStoryThread(file, { worldMs: 300 });
  await expect(thread.makeWorld('loop')).rejects.toThrow('The function has not ended after 0.3 s.');
  await expect(thread.makeWorld('loop')).rejects.toThrow('The function has not ended after 0.3 s.');
});
