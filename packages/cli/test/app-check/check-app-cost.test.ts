import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { growth, mostGrowth } from '../../../wire/test/growth.ts';
import { checkApp } from '../../src/app-check/check-app.ts';
import { readSource } from '../../src/app-check/read-source.ts';
import { sandboxFindings } from '../../src/app-check/sandbox-findings.ts';
import { sourcesOf } from '../../src/app-check/sources.ts';

/** A folder with one page of this text. */
async function folderOf(page: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-check-'));
  await writeFile(join(folder, 'gadget.json'), JSON.stringify({ name: 'A', page: 'index.html' }));
  await writeFile(join(folder, 'index.html'), page);
  return folder;
}

test.each<[string, number, (size: number) => string]>([
  ['tags that do not end', 1_500, (size) => '<img '.repeat(size)],
  ['tags that load what is not there', 1_500, (size) => '<img src="a.png">\n'.repeat(size)],
  ['calls that are none', 1_500, (size) => 'people.get people . '.repeat(size)],
])('a page of %s: the check costs no more than reading it (security rule 25)', async (_, n, page) => {
  const prepare = async (size: number) => {
    const folder = await folderOf(page(size));
    return () => checkApp(folder);
  };
  expect(await growth(n, prepare)).toBeLessThan(mostGrowth);
});

test.each<[string, number, (size: number) => string, string?]>([
  ['scripts that do not end', 1_500, (size) => '<script '.repeat(size)],
  ['comments that do not end', 1_500, (size) => '<!-- <script><style>'.repeat(size)],
  ['forms without an end', 1_500, (size) => '<form <a <base '.repeat(size)],
  ['event attributes without an end', 1_500, (size) => ' onclick="a'.repeat(size)],
  ['one script of patterns that do not end', 1_500, (size) => `<script>${'x=/['.repeat(size)}</script>`],
  ['one script of quotes and spaces', 1_500, (size) => `<script>${"window . '` navigator  . ".repeat(size)}</script>`],
  ['one script of spaces', 1_500, (size) => `<script>people${' '.repeat(size)}x window${' '.repeat(size)}x</script>`],
  ['many findings', 500, (size) => `<script>${'alert(1);\n'.repeat(size)}</script>`],
  [
    'attributes of one tag',
    1_500,
    (size) => `<a ${Array.from({ length: size }, (_, index) => `b${index}`).join(' ')}>`,
  ],
  ['members of members', 1_500, (size) => `a${'.b()'.repeat(size)}`, 'a.js'],
  ['templates in a row', 500, (size) => `html\`<b @click=\${() => fetch(u)}>\`;`.repeat(size), 'a.js'],
  ['names that stand for each other', 1_000, (size) => 'var a = b, b = a; a.c();'.repeat(size), 'a.js'],
  [
    'addresses that do not end',
    1_500,
    (size) => `${'url("a url(\'a url(a '.repeat(size)}url(${' '.repeat(size)}`,
    'a.css',
  ],
  ['parameters', 1_000, (size) => `osapi.people.get({${'feilds: 1,'.repeat(size)}})`, 'a.js'],
  ['braces', 1_000, (size) => '{#if a}{fetch(a)}{/if}'.repeat(size), 'a.svelte'],
  ['braces that do not end', 1_500, (size) => '{a '.repeat(size), 'a.svelte'],
  ['mustaches that do not end', 1_500, (size) => '{{ a '.repeat(size), 'a.vue'],
])('%s: looking for what the sandbox breaks costs no more than reading it (security rule 25)', async (...given) => {
  const [, n, page, path = 'index.html'] = given;
  const prepare = (size: number) => {
    const text = page(size);
    return () => sandboxFindings({ path, text, ...readSource({ path, text }) });
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

test('a page is read up to its bound, and a missing file is reported with the line that loads it', async () => {
  const folder = await folderOf(
    `\n<img\n src="gone.png">\n\n<img src="too.png">${' '.repeat(1_000_000)}<img src="late.png">`,
  );
  await writeFile(join(folder, 'empty.js'), '');
  const { findings } = await checkApp(folder);
  expect(
    findings
      .filter(({ what }) => what.includes('.png'))
      .map(({ id, line, column, what }) => [id, line, column, what.split(' ')[0]]),
  ).toEqual([
    ['file-missing', 3, 7, 'gone.png'],
    ['file-missing', 5, 11, 'too.png'],
  ]);
});

test('a script that would be parsed for years is a finding after the time that a folder has (security rule 25)', async () => {
  const folder = await folderOf('');
  await writeFile(join(folder, 'a.ts'), '<T>('.repeat(60));
  await writeFile(join(folder, 'b.ts'), 'fetch(1)');
  const { texts } = await sourcesOf(folder, { milliseconds: 300 });
  const what = 'takes too long to parse';
  expect(texts.map(({ problems }) => problems)).toEqual([[{ at: 0, what }], [{ at: 0, what }], [{ at: 0, what }]]);
  await writeFile(join(folder, 'a.ts'), 'fetch(1)');
  expect((await sourcesOf(folder)).texts.map(({ problems }) => problems)).toEqual([[], [], []]); // the control
});
