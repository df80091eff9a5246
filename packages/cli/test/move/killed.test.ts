import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '@gantry/server';
import { expect, onTestFinished, test } from 'vitest';
import { createSchema } from '../../../store/test/postgres.ts';
import { contentOf, fullSite, move } from './full-site.ts';

const program = fileURLToPath(new URL('../../bin/gantry.js', import.meta.url));

/** Runs `gantry move` in a process, and kills it once it says that a part is done, in percent. */
async function killAt(part: number, data: string, to: string): Promise<NodeJS.Signals | null> {
  const child = spawn(process.execPath, ['--conditions=@gantry/source', program, 'move', '--data', data, '--to', to], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  child.stderr.setEncoding('utf8').on('data', (lines: string) => {
    if (Number(/(\d+) %/.exec(lines)?.[1]) >= part) child.kill('SIGKILL');
  });
  const [, signal] = await once(child, 'exit');
  return signal;
}

test.each(['PostgreSQL', 'SQLite'])('a move to %s that was killed resumes (decision 79)', async (name) => {
  const data = await fullSite(1_500);
  const schema = await createSchema();
  onTestFinished(() => schema.remove());
  const to = name === 'SQLite' ? join(data, 'new.db') : schema.url;
  expect(await killAt(10, data, to)).toBe('SIGKILL');
  expect(await killAt(30, data, to)).toBe('SIGKILL');
  expect(await killAt(60, data, to)).toBe('SIGKILL'); // during the comparison
  // PostgreSQL notices a moment later that the process has ended.
  await expect.poll(async () => (await move(data, '--to', to)).code).toBe(0);
  const [before, after] = [await openDatabase(join(data, 'gantry.db')), await openDatabase(to)];
  expect(await contentOf(after)).toEqual(await contentOf(before));
  for (const db of [before, after]) await db.close();
});
