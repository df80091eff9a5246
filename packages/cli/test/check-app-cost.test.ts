import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { growth, mostGrowth } from '../../wire/test/growth.ts';
import { checkApp } from '../src/check-app.ts';

/** A folder with one page of this text. */
async function folderOf(page: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-check-'));
  await writeFile(join(folder, 'gadget.json'), JSON.stringify({ name: 'A', page: 'index.html' }));
  await writeFile(join(folder, 'index.html'), page);
  return folder;
}

test.each<[string, number, (size: number) => string]>([
  ['tags that do not end', 4_000, (size) => '<img '.repeat(size)],
  ['tags that load what is not there', 2_000, (size) => '<img src="a.png">\n'.repeat(size)],
  ['calls that are none', 4_000, (size) => 'people.get people . '.repeat(size)],
])('a page of %s: the check costs no more than reading it (security rule 25)', async (_, n, page) => {
  const prepare = async (size: number) => {
    const folder = await folderOf(page(size));
    return () => checkApp(folder);
  };
  expect(await growth(n, prepare)).toBeLessThan(mostGrowth);
});

test('control: counting the lines before each load grows with the square (security rule 25)', async () => {
  const counted = (size: number) => {
    const page = '<img src="a.png">\n'.repeat(size);
    return () => [...page.matchAll(/<img/g)].map(({ index }) => page.slice(0, index).split('\n').length);
  };
  expect(await growth(100, counted)).toBeGreaterThan(mostGrowth);
});

test('a page is read to its bound, and what it loads is told with its line', async () => {
  const folder = await folderOf(
    `\n<img\n src="gone.png">\n\n<img src="too.png">${' '.repeat(1_000_000)}<img src="late.png">`,
  );
  await writeFile(join(folder, 'empty.js'), '');
  const { errors, warnings } = await checkApp(folder);
  expect(errors).toEqual([]);
  expect(warnings.filter((warning) => warning.includes('.png'))).toEqual([
    'index.html:2 names gone.png, which is not in the folder.',
    'index.html:5 names too.png, which is not in the folder.',
  ]);
});
