import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { startBrowser } from '../../src/browser/chromium.ts';
import { openDevtools } from '../../src/browser/devtools.ts';
import { findChromium } from '../../src/browser/find-chromium.ts';
import { main } from '../../src/main.ts';
import { contactSheet } from '../../src/pictures/contact-sheet.ts';
import { isMeant, picturesOf } from '../../src/pictures/variants.ts';

const story = {
  ...{
    id: 'friends/empty',
    app: 'friends',
    name: 'empty',
    title: 'Empty <b>',
    file: 'friends.stories.ts',
    revision: 1,
  },
  scenario: { width: 960 },
  makesWorld: false,
};

test.each([
  ['friends/empty', '', true],
  ['friends/empty', 'empty', true],
  ['friends/empty', 'friends/*', true],
  ['friends/empty', '*/empty', true],
  ['friends/empty', 'fr*em*y', true],
  ['friends/empty', '*/emp', false],
  ['friends/empty', 'empty/*', false],
  ['aa', 'a*aa', false],
])('the story %s and the pattern %j', (id, pattern, expected) => {
  expect(isMeant(id, pattern)).toBe(expected);
});

test('a story has eight pictures with names that stay', () => {
  expect(picturesOf(story).map(({ file, width }) => [file, width])).toContainEqual([
    'friends/empty-dark-wide-rtl.png',
    960,
  ]);
  expect(new Set(picturesOf(story).map(({ file }) => file)).size).toBe(8);
});

test('texts of stories and apps are no HTML in the contact sheet (security rule 1)', () => {
  const [picture] = picturesOf(story);
  if (!picture) throw new Error('no picture');
  const sheet = contactSheet([{ picture, failure: '<script>alert(1)</script>' }]);
  expect(sheet).toContain('Empty &#60;b&#62;');
  expect(sheet).not.toContain('<script>');
});

test('where there is no Chromium the message says how to install one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'no-chromium-'));
  await expect(findChromium(folder, { GANTRY_CHROMIUM: '/nowhere/chromium' }, new Error('none'))).rejects.toThrow(
    'GANTRY_CHROMIUM names /nowhere/chromium, and there is no such file.',
  );
  const errors: string[] = [];
  expect(await main(['pictures', folder], { PATH: folder }, { out: () => {}, err: (line) => errors.push(line) })).toBe(
    1,
  );
  expect(errors.join()).toContain('npx playwright install chromium');
  await rm(folder, { recursive: true });
});

test('a program that is no browser is refused with what it printed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'no-browser-'));
  const program = join(folder, 'chromium');
  await writeFile(program, '#!/bin/sh\necho "cannot open display" >&2\nexit 1\n');
  await chmod(program, 0o755);
  await expect(startBrowser(program)).rejects.toThrow(/does not start:\ncannot open display/);
  await rm(folder, { recursive: true });
});

test('messages of the browser are read however its pipe cuts them', async () => {
  const from = new PassThrough();
  const devtools = openDevtools(from, new PassThrough());
  const answer = devtools.send('Browser.getVersion');
  const bytes = Buffer.from('{"method":"Tick","params":{}}\0{"id":1,"result":{"product":"Chromé"}}\0');
  for (const byte of bytes) from.write(Buffer.from([byte]));
  expect(await answer).toEqual({ product: 'Chromé' });
  const lost = devtools.send('Page.enable');
  devtools.end('The browser has ended.');
  await expect(lost).rejects.toThrow('The browser has ended.');
});
