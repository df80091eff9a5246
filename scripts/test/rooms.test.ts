import { expect, test } from 'vitest';
import { circles, importsOf, readAllowed, refused } from '../rooms.ts';

const allowed = readAllowed(`
| Package | Purpose | May import |
|---|---|---|
| \`wire\` | Data | – |
| \`store\` | Rows | – |
| \`server\` | A site, with \`createGantry\` | all above |
| \`lab\` | Tools | server, and the server's parts |
`);

function imports(...pairs: readonly string[]) {
  return pairs.map((pair) => {
    const [from = '', to = ''] = pair.split(' → ').map((path) => `packages/${path}`);
    return { from, to, names: ['x'] };
  });
}

test('reads imports, types, re-exports and lazy imports with the names that they bring', () => {
  const text = `
    import { type Two, three as four } from './near.ts';
    import * as all from '../up.ts';
    import 'vite';
    import '@gantry/wire';
    export { five } from './near.ts';
    export type * from '@gantry/wire/runtime';
    const lazy = () => import('./lazy.ts');
    type Six = import('./six.ts').Six;
  `;
  const entries = new Map([
    ['@gantry/wire', 'packages/wire/src/index.ts'],
    ['@gantry/wire/runtime', 'packages/wire/src/runtime/index.ts'],
  ]);
  const imports = importsOf('packages/lab/src/room/a.ts', text, entries);
  expect(imports.map(({ to, names }) => `${to} ${names}`)).toEqual([
    'packages/lab/src/room/near.ts Two,three,five',
    'packages/lab/src/up.ts *',
    'packages/wire/src/index.ts *',
    'packages/wire/src/runtime/index.ts *',
    'packages/lab/src/room/lazy.ts import()',
    'packages/lab/src/room/six.ts import()',
  ]);
});

test('reads "all above" and "the server\'s parts" as lists', () => {
  expect([...allowed].map(([name, others]) => [name, ...others])).toEqual([
    ['wire'],
    ['store'],
    ['server', 'wire', 'store'],
    ['lab', 'server', 'wire', 'store'],
  ]);
});

test('finds a circle of folders through a third, and a file in src that takes part in one', () => {
  const planted = imports(
    'lab/src/a/1.ts → lab/src/b/1.ts',
    'lab/src/b/2.ts → lab/src/c/1.ts',
    'lab/src/c/2.ts → lab/src/a/2.ts',
    'lab/src/top.ts → lab/src/a/1.ts',
    'lab/src/d/1.ts → lab/src/floor.ts',
    'lab/src/floor.ts → lab/src/d/2.ts',
  );
  expect(circles(planted)).toEqual([planted.slice(0, 3), planted.slice(4)]);
});

test('leaves alone imports downwards, within a room, between packages and of tests', () => {
  const fine = imports(
    'lab/src/a/1.ts → lab/src/a/2.ts',
    'lab/src/a/2.ts → lab/src/a/1.ts',
    'lab/src/a/1.ts → lab/src/b/1.ts',
    'lab/src/b/1.ts → store/src/sql.ts',
    'store/src/sql.ts → lab/src/b/1.ts',
    'lab/test/b/1.test.ts → lab/test/a/help.ts',
    'lab/test/a/help.ts → lab/test/b/help.ts',
  );
  expect(circles(fine)).toEqual([]);
});

test('refuses an import, and a dependency, that has no place in the table', () => {
  const planted = imports(
    'store/src/a.ts → wire/src/index.ts',
    'server/package.json → lab',
    'new/src/a.ts → wire/src/index.ts',
    'lab/src/a.ts → wire/src/index.ts',
    'server/src/a.ts → server/src/b.ts',
  );
  expect(refused(planted, allowed)).toEqual(planted.slice(0, 3));
});

test('refuses a test that imports tests of a later row, but no test that uses a whole package', () => {
  const planted = imports(
    'server/test/a.test.ts → lab/test/help.ts',
    'lab/test/a.test.ts → server/test/help.ts',
    'store/test/a.test.ts → wire/test/help.ts',
    'server/test/a.test.ts → lab/src/index.ts',
  );
  expect(refused(planted, allowed)).toEqual(planted.slice(0, 1));
});
