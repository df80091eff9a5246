import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

/** Runs an import of the package in a process that takes itself for another release of Node. */
function importOn(version: string, hasSqlite: boolean): { readonly code: number | null; readonly text: string } {
  const pretend = `
    Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });
    ${hasSqlite ? '' : 'process.getBuiltinModule = () => undefined;'}`;
  const args = ['--conditions=@gantry/source', '--import', `data:text/javascript,${encodeURIComponent(pretend)}`];
  const { status, stderr } = spawnSync(
    process.execPath,
    [...args, '--input-type=module', '-e', "await import('@gantry/store')"],
    {
      cwd: import.meta.dirname,
      encoding: 'utf8',
    },
  );
  return { code: status, text: stderr };
}

test('a program that imports Gantry on a Node without SQLite ends with a line that says which it needs', () => {
  const { code, text } = importOn('20.20.2', false);
  expect(text).toContain('Error: Gantry needs Node 22.18 or newer; this is 20.20.2.');
  expect(code).toBe(1);
});

test('on a Node with SQLite the import works (positive control)', () => {
  expect(importOn('24.14.1', true)).toEqual({ code: 0, text: '' });
});
