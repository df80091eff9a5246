import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const { listTree, newPaths } = (await import('../leftovers.mjs' as string)) as {
  listTree(folder: string): string[];
  newPaths(folder: string, before: readonly string[]): string[];
};

function openClone(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-clone-'));
  for (const path of ['packages/a/src', 'node_modules/x', '.git/refs'])
    mkdirSync(join(folder, path), { recursive: true });
  writeFileSync(join(folder, 'packages/a/src/a.ts'), '');
  return folder;
}

test('empty folders and files that a run left are named, a new folder once (ADR 70)', () => {
  const clone = openClone();
  const before = listTree(clone);
  mkdirSync(join(clone, 'media/.drafts'), { recursive: true });
  mkdirSync(join(clone, 'media/.removed'));
  mkdirSync(join(clone, 'packages/a/.examples-1'));
  writeFileSync(join(clone, 'packages/a/src/b.txt'), '');
  expect(newPaths(clone, before).sort()).toEqual(
    ['media', 'packages/a/.examples-1', 'packages/a/src/b.txt'].map((path) => join(path)),
  );
});

test('control: Git does not see an empty folder', () => {
  const clone = mkdtempSync(join(tmpdir(), 'gantry-clone-'));
  execFileSync('git', ['init', '--quiet'], { cwd: clone });
  const before = listTree(clone);
  mkdirSync(join(clone, 'media/.drafts'), { recursive: true });
  expect(execFileSync('git', ['status', '--porcelain'], { cwd: clone, encoding: 'utf8' })).toBe('');
  expect(newPaths(clone, before)).toEqual(['media']);
});

test('files of builds and installations are not leftovers of tests (ADR 70)', () => {
  const clone = openClone();
  const before = listTree(clone);
  mkdirSync(join(clone, 'packages/a/dist/deep'), { recursive: true });
  mkdirSync(join(clone, 'test-results/x'), { recursive: true });
  mkdirSync(join(clone, 'node_modules/y'));
  mkdirSync(join(clone, '.git/objects'));
  mkdirSync(join(clone, '.gantry/media'), { recursive: true });
  writeFileSync(join(clone, 'packages/a/tsconfig.tsbuildinfo'), '');
  expect(newPaths(clone, before)).toEqual([]);
});
