import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { newestFile } from '../newest-file.ts';

const sources = ['apps/**/*', 'vite.config.ts'];

function makeProject() {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-newest-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'apps/friends'), { recursive: true });
  const set = (path: string, seconds: number) => utimesSync(join(folder, path), seconds, seconds);
  const write = (path: string, seconds: number) => {
    writeFileSync(join(folder, path), '');
    set(path, seconds);
  };
  write('apps/friends/index.html', 1_000);
  write('vite.config.ts', 900);
  return { folder, set, write };
}

test('a file that a running dev host writes beside an app is no change, and triggers no build of other servers', () => {
  const { folder, set, write } = makeProject();
  mkdirSync(join(folder, 'apps/friends/.gantry'));
  write('apps/friends/.gantry/last-run.json', 2_000);
  set('apps/friends', 2_000);
  expect(newestFile(sources, folder)).toBe(1_000_000);
});

test('a file that was written or saved last is a change, wherever it lies', () => {
  const { folder, write } = makeProject();
  write('apps/friends/new.js', 2_000);
  expect(newestFile(sources, folder)).toBe(2_000_000);
  write('vite.config.ts', 3_000);
  expect(newestFile(sources, folder)).toBe(3_000_000);
});
