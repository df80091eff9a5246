import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { folderForFile } from '../../wire/test/temporary-folder.ts';
import { onlyOne } from '../src/build/only-one.ts';
import { sourceDigest } from '../src/build/source-digest.ts';

const folder = folderForFile();
beforeAll(async () => {
  await mkdir(join(folder, 'src'));
  await writeFile(join(folder, 'src/main.ts'), 'export {};\n');
});

test('a build is named by its sources: content, hidden settings and environment, not what builds and tests leave', async () => {
  const digest = (): Promise<string> => sourceDigest(folder, ['v24']);
  const first = await digest();
  await mkdir(join(folder, 'dist'));
  await writeFile(join(folder, 'dist/main.js'), '');
  expect(await digest()).toBe(first);
  expect(await sourceDigest(folder, ['v26'])).not.toBe(first);
  await writeFile(join(folder, '.env'), 'VITE_TIDE=low');
  const second = await digest();
  expect(second).not.toBe(first);
  await writeFile(join(folder, 'src/main.ts'), 'export { };\n');
  expect(await digest()).not.toBe(second);
});

/** Lets four processes work ten times each, kills one at work, and returns what they wrote. */
async function workTogether(lock: string): Promise<{ readonly lines: readonly string[]; readonly killed: string }> {
  const log = join(folder, `${lock}.log`);
  const args = [join(import.meta.dirname, 'only-one-worker.ts'), join(folder, lock), log];
  await writeFile(log, '');
  const workers = Array.from({ length: 4 }, () => spawn(process.execPath, args, { stdio: 'ignore' }));
  const victim = () => readFile(`${log}.victim`, 'utf8').catch(() => '');
  await expect.poll(victim).not.toBe('');
  const killed = await victim();
  process.kill(Number(killed), 'SIGKILL');
  await Promise.all(workers.map(async (worker) => worker.exitCode ?? worker.signalCode ?? once(worker, 'exit')));
  return { lines: (await readFile(log, 'utf8')).split('\n').slice(0, -1), killed };
}

/** Returns how often one worker begins while another, which is not the killed one, works. */
function overlaps({ lines, killed }: Awaited<ReturnType<typeof workTogether>>): number {
  const working = new Set<string>();
  let count = 0;
  for (const line of lines) {
    const [worker = '', what] = line.split(' ');
    if (what === 'ends') working.delete(worker);
    else {
      working.delete(killed);
      count += working.size;
      working.add(worker);
    }
  }
  return count;
}

test('processes work one at a time, and one that is killed at work holds up none', async () => {
  const seen = await workTogether('build.lock');
  expect(overlaps(seen)).toBe(0);
  expect(seen.lines.filter((line) => !line.startsWith(seen.killed))).toHaveLength(60);
});

test('without a lock they overlap: the test before can fail', async () => {
  expect(overlaps(await workTogether('none'))).toBeGreaterThan(0);
});

test('one of several that start at the same time works, and the others wait for it', async () => {
  const lock = join(folder, 'build.lock');
  let running = 0;
  let most = 0;
  const work = async (): Promise<void> => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
  };
  await Promise.all([1, 2, 3].map(() => onlyOne(lock, 5_000, work)));
  expect(most).toBe(1);
});

test('a wait that takes too long names the lock', async () => {
  const lock = join(folder, 'held.lock');
  await onlyOne(lock, 0, () => expect(onlyOne(lock, 60, async () => 'built')).rejects.toThrow(`which holds ${lock}`));
});
