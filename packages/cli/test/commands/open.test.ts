import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderForFile } from '../../../wire/test/temporary-folder.ts';
import { main } from '../../src/main.ts';

const folder = folderForFile();

async function open(...args: readonly string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const code = await main(['open', ...args], {}, { out: (line) => out.push(line), err: (line) => err.push(line) });
  return { code, out, err };
}

test('--json prints head, problems and entries, each on one line without characters that terminals obey', async () => {
  const file = join(folder, 'failure.tape');
  const title = 'a\u001b]0;owned\u0007\u009b31m';
  const head = {
    tape: 1,
    release: '0',
    host: 'lab',
    app: 'notes',
    scenario: {},
    startMs: 0,
    isRedacted: true,
    test: { title },
  };
  const entry = { number: 1, kind: 'console', level: 'log', text: title, offsetMs: 0 };
  await writeFile(file, `${JSON.stringify(head)}\n${JSON.stringify(entry)}\n{"num`);
  const { code, out, err } = await open(file, '--json');
  expect({ code, err }).toEqual({ code: 0, err: [] });
  expect(out.map((line) => JSON.parse(line))).toEqual([
    { event: 'tape', ...head, problems: [expect.stringContaining('The last line is cut off')] },
    { event: 'entry', ...entry },
  ]);
  expect(out.join('')).not.toMatch(/\p{Cc}/u);
});

test('a file that is no tape is said to be none; a missing one, a folder or two are not understood', async () => {
  await writeFile(join(folder, 'notes.txt'), 'hello');
  expect(await open(join(folder, 'notes.txt'))).toMatchObject({
    code: 1,
    err: [expect.stringMatching(/^This is no tape: /)],
  });
  expect(await open(join(folder, 'none\u001b[2J'))).toMatchObject({
    code: 2,
    err: [expect.stringMatching(/^There is no file .*none\\u\{1b\}/)],
  });
  expect(await open(folder)).toMatchObject({ code: 2, err: [expect.stringContaining('is not a file')] });
  expect(await open()).toMatchObject({ code: 2 });
  expect(await open('a', 'b')).toMatchObject({ code: 2 });
});

test('--app is checked before anything starts', async () => {
  const { code, err } = await open(join(folder, 'failure.tape'), '--app', join(folder, 'nowhere'));
  expect(code).toBe(2);
  expect(err[0]).toContain('There is no folder');
});
