import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { folderForFile } from '../../wire/test/temporary-folder.ts';
import { appIdOf, appIds, idOf } from '../src/host/app-ids.ts';

const root = folderForFile();

beforeAll(async () => {
  for (const folder of ['quiz/dist', 'quiz/src', 'named/dist', 'work/hello', 'old/hello']) {
    await mkdir(join(root, folder), { recursive: true });
  }
  await writeFile(join(root, 'named/package.json'), JSON.stringify({ name: '@me/harbour-quiz' }));
});

test.each([
  ['quiz', 'quiz'],
  ['quiz/dist', 'quiz'],
  ['quiz/src', 'quiz'],
  ['quiz/src/.', 'quiz'],
  ['named/dist', 'harbour-quiz'],
  ['work/My Gadget (2)', 'My-Gadget-2'],
  ['work/2026-quiz', 'quiz'],
  ['work/.hidden', 'hidden'],
])('names the app of %s %s', (folder, id) => {
  expect(appIdOf(join(root, folder))).toBe(id);
});

test('tells folders of one name apart by the folders around them', () => {
  const ids = appIds(['quiz', 'work/hello', 'old/hello', 'quiz/dist'].map((folder) => join(root, folder)));

  expect(ids).toEqual([`${idOf(root.split('/').at(-1) as string)}-quiz`, 'work-hello', 'old-hello', 'quiz-quiz']);
  expect(new Set(ids).size).toBe(4);
});

test.each(['<script>', '..', '', 'dist', '日本', '__proto__', 'a'.repeat(300), 'x/../y'])(
  'makes an id of letters, digits and hyphens of %j',
  (name) => {
    expect(idOf(name)).toMatch(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/);
  },
);
