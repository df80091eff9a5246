import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

/** Runs an import of a package in a process that takes itself for another release of Node. */
function importOn(version: string, name = '@gantry/store'): { readonly code: number | null; readonly text: string } {
  const pretend = `
    Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });
    if (process.versions.node.startsWith('20.')) {
      process.getBuiltinModule = () => undefined;
      Map.groupBy = undefined;
    }`;
  const args = ['--conditions=@gantry/source', '--import', `data:text/javascript,${encodeURIComponent(pretend)}`];
  const { status, stderr } = spawnSync(
    process.execPath,
    [...args, '--input-type=module', '-e', `await import('${name}')`],
    {
      cwd: import.meta.dirname,
      encoding: 'utf8',
    },
  );
  return { code: status, text: stderr };
}

test.each(['@gantry/store', '@gantry/server', '@gantry/testing', '@gantry/testing/node', '@gantry/testing/site'])(
  'a program that imports %s on Node 20 ends with one line that says what to do',
  (name) => {
    expect(importOn('20.20.2', name)).toEqual({
      code: 1,
      text: 'Gantry needs Node 22.18 or newer and this is 20.20.2: install it from https://nodejs.org, or with nvm install 22.\n',
    });
  },
);

test('on a Node with SQLite the import works (positive control)', () => {
  expect(importOn('24.14.1')).toEqual({ code: 0, text: '' });
});
