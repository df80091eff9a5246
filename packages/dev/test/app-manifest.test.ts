import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { folderForFile } from '../../wire/test/temporary-folder.ts';
import { createAppManifest } from '../src/app-manifest.ts';

const folder = folderForFile();
beforeAll(async () => {
  await writeFile(join(folder, 'index.html'), '<!doctype html>');
});

const write = (text: string): Promise<void> => writeFile(join(folder, 'gadget.json'), text);
const manifest = (more: object = {}): string => JSON.stringify({ name: 'Hello', page: 'index.html', ...more });

test('a manifest that is read while it is being saved is no problem, and one that stays wrong is', async () => {
  const saves = [manifest({ uses: ['people.get'] }), '{'];
  const followed = createAppManifest(folder, { pause: () => write(saves.shift() ?? '') });
  await write(manifest());
  await followed.read();
  await write(''); // as an editor leaves it for a moment
  expect((await followed.read()).event).toEqual({ kind: 'manifest', asks: ['people'] });
  await write('');
  expect((await followed.read()).event).toMatchObject({ problem: expect.stringContaining('is not JSON') });
});

test('an icon that was missing is no problem once it is there', async () => {
  const followed = createAppManifest(folder, { pause: async () => {} });
  await write(manifest({ icon: 'icon.svg' }));
  expect((await followed.read()).event).toMatchObject({ problem: expect.stringContaining('names icon.svg') });
  await writeFile(join(folder, 'icon.svg'), '<svg/>');
  expect(followed.concerns('icon.svg')).toBe(true);
  expect((await followed.read()).event).toEqual({ kind: 'manifest' });
});
