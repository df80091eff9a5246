import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderForFile } from '../../../wire/test/temporary-folder.ts';
import { findWorld, generateWorld } from '../../src/index.ts';
import { siteOfWorld } from './site-of-world.ts';

const folder = folderForFile();

async function fileOf(name: string, text: string): Promise<string> {
  await writeFile(join(folder, name), text);
  return join(folder, name);
}

test("an author's world file is read, and its folder is that of its pictures", async () => {
  const path = await fileOf('mine.json', '\uFEFF{"site":{"name":"Mine"},"members":[{"id":"1","displayName":"Ann"}]}');
  expect(await findWorld(path)).toEqual({
    name: 'mine.json',
    file: { site: { name: 'Mine' }, members: [{ id: '1', displayName: 'Ann' }] },
    folder,
  });
});

test('JSON Lines are read as a world, and of two records with one id the last counts', async () => {
  const changed = '{"kind":"member","id":"1","displayName":"Renamed"}\n';
  const path = await fileOf('mine.jsonl', [...generateWorld({ members: 80, seed: 1 })].join('') + changed);
  const site = await siteOfWorld(await findWorld(path));
  expect((await site.get('1', '/people/@me/@self')).entry.displayName).toBe('Renamed');
  expect((await site.get('probe-20-1', '/people/@me/@friends')).totalResults).toBe(20);
  await site.close();
});

test('a function makes the content of a world, at once or later', async () => {
  expect((await findWorld(() => ({ members: [] }))).file).toEqual({ members: [] });
  expect((await findWorld(async () => ({ members: [] }))).file).toEqual({ members: [] });
});

test.each([
  ['bad.json', '{\n  "members": [,]\n}', /bad\.json:2:15 is not JSON: .+\.$/],
  [
    'bad.jsonl',
    '{"kind":"member","id":"1","displayName":"Ann"}\n{"kind":"member","id":"2"}\n',
    /bad\.jsonl: Line 2: member\.displayName is missing\.$/,
  ],
  ['torn.ndjson', '{"kind":"member"', /torn\.ndjson: Line 1: it is not JSON/],
  ['takes.jsonl', '{"kind":"member","id":"1","deleted":true}\n', /takes\.jsonl: Line 1: removes something/],
])('%s is refused with its path and the place in it', async (name, text, message) => {
  await expect(findWorld(await fileOf(name, text))).rejects.toThrow(message);
});

test('a file that is not there is named', async () => {
  await expect(findWorld(join(folder, 'none.json'))).rejects.toThrow(/none\.json cannot be read \(ENOENT\)\.$/);
});
