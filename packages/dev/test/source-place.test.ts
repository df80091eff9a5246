import { expect, test } from 'vitest';
import { createSourcePlaces } from '../src/source-place.ts';

const base = 'http://127.0.0.1:4500/gantry/apps/hello/Run-1~lab';
// From `\n\nexport const one: number = 1;\nthrow new Error('no');\n` in main.ts, as a builder
// writes it.
const map = {
  version: 3,
  sources: ['main.ts'],
  sourcesContent: ["\n\nexport const one: number = 1;\n  throw new Error('no');\n"],
  names: [],
  mappings: 'AAEO,MAAM,MAAc;AACzB,MAAM,IAAI,MAAM,IAAI;',
};
const built = "export const one = 1;\nthrow new Error('no');\n";
const inline = `//# sourceMappingURL=data:application/json;base64,${Buffer.from(JSON.stringify(map)).toString('base64')}\n`;

function places(files: Readonly<Record<string, string>>) {
  const read: string[] = [];
  const sources = createSourcePlaces({
    async read(target) {
      read.push(target);
      return files[target];
    },
    now: () => 0,
  });
  return { ...sources, read };
}

test('a place in a built file becomes one in its source, with the line itself', async () => {
  const { find } = places({ '/gantry/apps/hello/Run-1~lab/src/main.ts?t=1': built + inline });
  expect(await find('hello', { file: `${base}/src/main.ts?t=1`, line: 2, column: 7 })).toEqual({
    file: 'src/main.ts',
    line: 4,
    column: 9,
    text: "throw new Error('no');",
  });
});

test('a map may be a file of its own', async () => {
  const { find } = places({
    '/gantry/apps/hello/Run-1~lab/main.js': `${built}//# sourceMappingURL=main.js.map`,
    '/gantry/apps/hello/Run-1~lab/main.js.map': JSON.stringify(map),
  });
  expect(await find('hello', { file: `${base}/main.js`, line: 2, column: 1 })).toMatchObject({
    file: 'main.ts',
    line: 4,
  });
});

test('a plain file has its own lines, the one with the agent too', async () => {
  const agent = '<script>globalThis.gantryAgent={};(()=>{})();</script>';
  const { find } = places({
    '/gantry/apps/hello/Run-1~lab/index.html': `<!doctype html>${agent}<p>1</p><script>fail()</script>\n<script>\n  list.length;</script>`,
  });
  const column = `<!doctype html>${agent}<p>1</p><script>`.length + 1;
  expect(await find('hello', { file: `${base}/index.html`, line: 1, column })).toEqual({
    file: 'index.html',
    line: 1,
    column: column - agent.length,
    text: '<!doctype html><p>1</p><script>fail()</script>',
  });
  expect(await find('hello', { file: `${base}/index.html`, line: 3, column: 8 })).toMatchObject({
    text: 'list.length;</script>',
  });
});

test('a place in the agent, which calls the browser for the app, is that of the app below it', async () => {
  const agent = '<script>globalThis.gantryAgent={};(()=>{})();</script>';
  const { find, findInStack } = places({
    '/gantry/apps/hello/Run-1~lab/index.html': `<!doctype html>${agent}\n<script>localStorage;</script>`,
  });
  const file = `${base}/index.html`;
  expect(await find('hello', { file, line: 1, column: 40 })).toBeUndefined();
  const stack = `SecurityError\n    at Object.apply (${file}:1:40)\n    at ${file}:2:9`;
  expect(await findInStack('hello', stack)).toMatchObject({ line: 2, column: 9 });
});

test.each([
  ['another app', 'http://127.0.0.1:4500/gantry/apps/other/Run-1~lab/main.js'],
  ['another path of the dev host', 'http://127.0.0.1:4500/dev/events'],
  ['no address', 'main.js'],
])('nothing is read for a place in %s', async (_title, file) => {
  const { find, read } = places({});
  expect(await find('hello', { file, line: 1 })).toBeUndefined();
  expect(read).toEqual([]);
});

test('a map that is none, or names another server or path, leaves the place as the frame has it', async () => {
  const { find, read } = places({
    '/gantry/apps/hello/Run-1~lab/a.js': 'fail();\n//# sourceMappingURL=data:application/json;base64,e30=',
    '/gantry/apps/hello/Run-1~lab/b.js': 'fail();\n//# sourceMappingURL=http://elsewhere.example/b.js.map',
    '/gantry/apps/hello/Run-1~lab/c.js': 'fail();\n//# sourceMappingURL=/dev/events',
    '/gantry/apps/hello/Run-1~lab/d.js': 'fail();\n//# sourceMappingURL=../../../other/Run-1/d.js.map',
  });
  expect(await find('hello', { file: `${base}/a.js`, line: 1, column: 1 })).toMatchObject({ file: 'a.js', line: 1 });
  expect(await find('hello', { file: `${base}/b.js`, line: 1, column: 1 })).toMatchObject({ file: 'b.js', line: 1 });
  expect(await find('hello', { file: `${base}/c.js`, line: 1, column: 1 })).toMatchObject({ file: 'c.js', line: 1 });
  expect(await find('hello', { file: `${base}/d.js`, line: 1, column: 1 })).toMatchObject({ file: 'd.js', line: 1 });
  expect(read.every((target) => /\/[abcd]\.js$/.test(target))).toBe(true);
});

test('a stack yields the app’s first place outside packages, and a long stack is read in part', async () => {
  const { findInStack, read } = places({});
  const stack = `Error: no\n at x (${base}/node_modules/a/a.js:1:1)\n at y (https://other.example/b.js:2:2)\n at z (${base}/src/c.js:3:3)`;
  expect(await findInStack('hello', stack)).toEqual({ file: 'src/c.js', line: 3, column: 3 });
  const endless = Array.from({ length: 10_000 }, (_, index) => `at ${base}/node_modules/${index}.js:1:1`).join('\n');
  expect(await findInStack('hello', endless)).toBeUndefined();
  expect(read.length).toBeLessThan(40);
});

test('ten thousand errors of one file read it once (security rule 25)', async () => {
  const { find, read } = places({ '/gantry/apps/hello/Run-1~lab/main.js': built + inline });
  for (let index = 0; index < 10_000; index++) await find('hello', { file: `${base}/main.js`, line: 2, column: 1 });
  expect(read).toHaveLength(1);
});
