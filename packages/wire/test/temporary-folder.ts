import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

/** Makes a folder for a test, which is removed after it. For tests and `beforeEach`. */
export function folderForTest(): string {
  const folder = newFolder();
  onTestFinished(() => remove(folder));
  return folder;
}

/** Makes a folder for the tests of a file, which is removed after the last. */
export function folderForFile(): string {
  const folder = newFolder();
  afterAll(() => remove(folder));
  return folder;
}

function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'gantry-test-'));
}

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}
