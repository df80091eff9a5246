import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { onlyOne } from '../src/build/only-one.ts';
import { sourceDigest } from '../src/build/source-digest.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gantry-testing-digest-'));
  await mkdir(join(folder, 'src'));
  await writeFile(join(folder, 'src/main.ts'), 'export {};\n');
});
afterAll(() => rm(folder, { recursive: true }));

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

test('a lock whose process is gone holds nobody up, and one that stands is named', async () => {
  const lock = join(folder, 'left.lock');
  await writeFile(lock, '999999999');
  expect(await onlyOne(lock, 5_000, async () => 'built')).toBe('built');
  await writeFile(lock, String(process.pid));
  await expect(onlyOne(lock, 0, async () => 'built')).rejects.toThrow(`process ${process.pid}, which holds ${lock}`);
});
