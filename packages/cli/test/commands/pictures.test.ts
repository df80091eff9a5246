import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderForTest } from '../../../wire/test/temporary-folder.ts';
import { startBrowser } from '../../src/browser/start-browser.ts';
import { contactSheet } from '../../src/pictures/contact-sheet.ts';
import { isMeant, picturesOf } from '../../src/pictures/variants.ts';

const story = {
  ...{
    id: 'friends/empty',
    app: 'friends',
    name: 'empty',
    title: 'Empty <b>',
    file: 'friends.gadget.ts',
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

test('without Playwright, without a browser and with a program that is none, the message says what to do', async () => {
  const folder = folderForTest();
  const program = join(folder, 'chromium');
  await writeFile(program, '#!/bin/sh\necho "cannot open display" >&2\nexit 1\n');
  await chmod(program, 0o755);
  const cwd = process.cwd();
  process.chdir(folder);
  try {
    await expect(startBrowser(folder, {})).rejects.toThrow('Install it: npm install --save-dev @playwright/test');
  } finally {
    process.chdir(cwd);
  }
  await expect(startBrowser(folder, { GANTRY_CHROMIUM: '/nowhere/chromium' })).rejects.toThrow(
    'GANTRY_CHROMIUM names /nowhere/chromium, and there is no such file.',
  );
  await expect(startBrowser(cwd, { GANTRY_CHROMIUM: program })).rejects.toThrow(
    /does not start: .*\nInstall a browser/,
  );
});
