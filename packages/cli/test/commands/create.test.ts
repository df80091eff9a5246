import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderForTest } from '../../../wire/test/temporary-folder.ts';
import { runCommand } from '../run-command.ts';

const create = (...args: string[]) => runCommand(['create', ...args]);

test('gantry create makes what npm create gantry makes, under the same codes (ADR 49)', async () => {
  const parent = folderForTest();
  const folder = join(parent, 'tide');
  const made = await create(folder, '--template', 'plain', '--no-install', '--json');
  expect([made.code, JSON.parse(made.out).id]).toEqual([0, 'tide']);
  expect(readFileSync(join(folder, 'gadget.json'), 'utf8')).toContain('"Tide"');
  const again = await create(folder, '--template', 'plain', '--no-install', '--json');
  expect([again.code, again.err]).toEqual([1, expect.stringContaining('is not empty')]);
  expect(await create('--template', 'none')).toMatchObject({ code: 2, err: expect.stringContaining('gantry create') });
  expect((await create('--help')).out).toContain('Usage: gantry create [FOLDER]');
});
