import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { main } from '../../src/main.ts';

async function create(...args: string[]) {
  const lines = { out: [] as string[], err: [] as string[] };
  const output = { out: (line: string) => lines.out.push(line), err: (line: string) => lines.err.push(line) };
  const code = await main(['create', ...args], {}, output);
  return { code, out: lines.out.join('\n'), err: lines.err.join('\n') };
}

test('gantry create makes what npm create gantry makes, under the same codes (ADR 49)', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'gantry-create-'));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  const folder = join(parent, 'tide');
  const made = await create(folder, '--template', 'plain', '--no-install', '--json');
  expect([made.code, JSON.parse(made.out).id]).toEqual([0, 'tide']);
  expect(readFileSync(join(folder, 'gadget.json'), 'utf8')).toContain('"Tide"');
  const again = await create(folder, '--template', 'plain', '--no-install', '--json');
  expect([again.code, again.err]).toEqual([1, expect.stringContaining('is not empty')]);
  expect(await create('--template', 'none')).toMatchObject({ code: 2, err: expect.stringContaining('gantry create') });
  expect((await create('--help')).out).toContain('Usage: gantry create [FOLDER]');
});
