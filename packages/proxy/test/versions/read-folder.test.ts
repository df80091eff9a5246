import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readFolder } from '@gantry/proxy';
import { describe, expect, test } from 'vitest';
import { folderForFile } from '../../../wire/test/temporary-folder.ts';
import { maxFolderEntries } from '../../src/versions/read-folder.ts';
import { chunkBytes, chunksOf, maxFileBytes, maxFiles } from '../../src/versions/version-list.ts';
import type { VersionSource } from '../../src/versions/version-source.ts';
import { type Contents, filesOf, gadgetJson, least, sourceOf } from './versions.ts';

const root = folderForFile();

async function folderOf(contents: Contents): Promise<string> {
  const folder = await mkdtemp(join(root, 'app-'));
  for (const [path, content] of Object.entries(contents)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  return folder;
}

async function bytesOf(source: VersionSource): Promise<ReadonlyMap<string, Uint8Array>> {
  const all = new Map<string, Uint8Array>();
  for await (const [digest, bytes] of source.read(chunksOf(source.list).keys())) all.set(digest, Buffer.from(bytes));
  return all;
}

describe('a folder as a version (issue Versions, build 3)', () => {
  test('has the files that Gantry serves, and their bytes', async () => {
    const contents = {
      ...least,
      'js/app.js': 'let a;',
      'js/empty.js': '',
      'data/big.wasm': Buffer.alloc(2 * chunkBytes + 5, 3),
      'twin.js': 'let a;',
    };
    const unserved = {
      '.env': 'SECRET=1',
      'node_modules/a/index.js': '',
      'package.json': '{}',
      'test/a.js': '',
      'key.pem': '',
    };
    const source = await readFolder(await folderOf({ ...contents, ...unserved, '.git/index.html': '' }));
    expect(source.list).toEqual(sourceOf(contents).list);
    expect(await bytesOf(source)).toEqual(filesOf(contents).chunks);
  });

  test('reads only what is asked for', async () => {
    const source = await readFolder(await folderOf({ ...least, 'a.js': 'a' }));
    const wanted = source.list.files.find(({ path }) => path === 'a.js')?.digest as string;
    const read: string[] = [];
    for await (const [digest] of source.read([wanted])) read.push(digest);
    expect(read).toEqual([wanted]);
  });

  test('has names in NFC whatever the disk calls them, and refuses two that are one', async () => {
    const { list } = await readFolder(await folderOf({ ...least, 'gro\u0308\u00dfe.html': 'x' }));
    expect(list.files.map(({ path }) => path)).toContain('gr\u00f6\u00dfe.html');
    await expect(
      readFolder(await folderOf({ ...least, 'o\u0308.html': '1', '\u00f6.html': '2' })),
    ).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: '"ö.html" is there twice, under names that differ only in their form.',
    });
  });

  test('follows links within the folder, and none that leads out, to what is not served, or round (security rule 33)', async () => {
    const folder = await folderOf({ ...least, 'real/a.js': 'a', '.hidden/b.js': 'b', 'key.pem': 'secret' });
    const outside = await folderOf({ 'secret.html': 'secret', 'sub/c.js': 'c' });
    await symlink(join(folder, 'real/a.js'), join(folder, 'linked.js'));
    await symlink('real', join(folder, 'also'));
    await symlink('.', join(folder, 'loop'));
    await symlink('key.pem', join(folder, 'key.html'));
    await symlink('.hidden', join(folder, 'shown'));
    await symlink(join(outside, 'secret.html'), join(folder, 'out.html'));
    await symlink(join(outside, 'sub'), join(folder, 'out'));
    await symlink('missing', join(folder, 'broken.html'));
    const { list } = await readFolder(folder);
    expect(list.files.map(({ path }) => path)).toEqual([
      ...['also/a.js', 'gadget.json', 'index.html', 'linked.js', 'real/a.js'],
    ]);
  });

  test.skipIf(process.platform === 'win32')('waits for no pipe (security rule 33)', async () => {
    const folder = await folderOf(least);
    execFileSync('mkfifo', [join(folder, 'pipe.html')]);
    expect((await readFolder(folder)).list.files).toHaveLength(2);
  });

  test.each<[string, (folder: string) => Promise<void>]>([
    ['has another content', (folder) => writeFile(join(folder, 'a.js'), 'b'.repeat(chunkBytes + 1))],
    ['is longer', (folder) => writeFile(join(folder, 'a.js'), 'a'.repeat(2 * chunkBytes + 1))],
    ['is shorter', (folder) => writeFile(join(folder, 'a.js'), 'a'.repeat(chunkBytes))],
    ['is gone', (folder) => rm(join(folder, 'a.js'))],
  ])('says so if a file %s when its bytes are read', async (_, change) => {
    const folder = await folderOf({ ...least, 'a.js': 'a'.repeat(chunkBytes + 1) });
    const source = await readFolder(folder);
    await change(folder);
    await expect(bytesOf(source)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: 'a.js changed while it was read. Try again when it is at rest.',
    });
  });

  test('is refused beyond 2,000 files, 25 MiB of one, and without a manifest (docs/limits.md)', async () => {
    const files = Object.fromEntries(Array.from({ length: maxFiles - 1 }, (_, index) => [`p${index}.html`, '']));
    await expect(readFolder(await folderOf({ ...least, ...files }))).rejects.toMatchObject({ code: 'TOO_LARGE' });
    const large = await folderOf(least);
    await writeFile(join(large, 'film.mp4'), Buffer.alloc(maxFileBytes + 1));
    await expect(readFolder(large)).rejects.toThrow('"film.mp4" has more than 26214400 bytes.');
    await expect(readFolder(await folderOf({ 'index.html': '' }))).rejects.toThrow('A version has a gadget.json');
    await expect(readFolder(join(root, 'none'))).rejects.toThrow(`There is no folder ${join(root, 'none')}.`);
    await expect(readFolder(join(large, 'gadget.json'))).rejects.toThrow('There is no folder');
  });

  test('is refused beyond 50 MiB before the rest is read', async () => {
    const folder = await folderOf({ 'gadget.json': gadgetJson });
    for (const name of ['a', 'b', 'c']) await writeFile(join(folder, `${name}.mp4`), Buffer.alloc(20 * 1024 * 1024));
    await expect(readFolder(folder)).rejects.toThrow('A version has at most 52428800 bytes.');
  });

  test('looks at 20,000 entries at the most (rule 25)', async () => {
    const folder = await folderOf(least);
    for (let index = 0; index < maxFolderEntries; index += 100) {
      await Promise.all(Array.from({ length: 100 }, (_, one) => writeFile(join(folder, `${index + one}.md`), '')));
    }
    await expect(readFolder(folder)).rejects.toThrow(
      'has more than 20000 entries. Name the folder with the built app.',
    );
  });
});
