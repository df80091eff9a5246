import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { folderForTest } from '../../../wire/test/temporary-folder.ts';
import { gantry } from '../running-site.ts';

let folder: string;
beforeEach(() => {
  folder = folderForTest();
});

const dev = (...args: string[]) => gantry(folder, 'dev', ...args);

test('a folder that is not there, a file, and a folder without gadget.json are each one clear line', async () => {
  const file = join(folder, 'page.html');
  await writeFile(file, '');
  expect(await dev(join(folder, 'none'))).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^There is no folder .*none\. Name the one that has/),
  });
  expect(await dev(file)).toMatchObject({ code: 2, err: `${file} is a file. Name the folder that it is in.` });
  const bare = await dev(folder);
  expect(bare).toMatchObject({ code: 2, out: '' });
  expect(bare.err).toMatch(/^There is no gadget\.json in .* gantry create/);
  expect(bare.err).not.toContain('\n');
});

test('a name of a folder reaches the terminal as text', async () => {
  const { err } = await dev('\u001b]0;owned\u0007\u001b[2J');
  expect(err).toContain('\\u{1b}]0;owned\\u{7}\\u{1b}[2J');
});

test.each(['-1', '70000', 'x', '4500.5', ''])('a port that is none (%j) is refused', async (port) => {
  await writeFile(join(folder, 'gadget.json'), '{}');
  expect(await dev(folder, `--port=${port}`)).toMatchObject({
    code: 2,
    err: expect.stringContaining('--port takes a number'),
  });
});

test('an unknown flag is not understood', async () => {
  expect(await dev('--prot', '4500')).toMatchObject({ code: 2 });
});

test('help names each event and has examples', async () => {
  const { code, out } = await dev('--help');
  expect(code).toBe(0);
  for (const event of [
    'ready',
    'problem',
    'repeated',
    'resolved',
    'load',
    'call',
    'reply',
    'refusal',
    'console',
    'left-out',
    'end',
  ]) {
    expect(out).toMatch(new RegExp(`^ {2}${event} `, 'm'));
  }
  expect(out).toContain('gantry dev --json --browser');
});
