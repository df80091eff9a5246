import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const example = join(root, 'examples/testing');
const read = (path: string) => readFileSync(path, 'utf8');
const withoutSpace = (code: string) => code.replaceAll(/\s+/g, '');

const guide = read(join(root, 'docs/guides/tester.md'));
const fragments = [...guide.matchAll(/^```ts\n([\s\S]*?)^```$/gm)]
  .map(([, code = '']) => code)
  .filter((code) => !code.startsWith('import '));
const tested = globSync('tests/*.spec.ts', { cwd: example }).map((path) => withoutSpace(read(join(example, path))));
const isTested = (code: string) => tested.some((text) => text.includes(withoutSpace(code)));

test('each recipe of the guide stands in a test of the example (guide for testers)', () => {
  expect(fragments.length).toBeGreaterThan(12);
  expect(isTested('await gadget.mount("elsewhere");')).toBe(false);
  expect(fragments.filter((code) => !isTested(code))).toEqual([]);
});

test.for(['tests/first.spec.ts', 'unit/note.test.js'])('the guide shows %s as it is (guide for testers)', (path) => {
  expect(withoutSpace(guide)).toContain(withoutSpace(read(join(example, path))));
});

test('the first scenario has at most ten lines (guide for testers)', () => {
  expect(read(join(example, 'tests/first.spec.ts')).trim().split('\n').length).toBeLessThanOrEqual(10);
});

test('the test in Node passes with node --test (guide for testers)', async () => {
  const options = { cwd: example, env: { ...process.env, NODE_OPTIONS: '--conditions=@gantry/source' } };
  const { stdout } = await promisify(execFile)(process.execPath, ['--test', 'unit/note.test.js'], options);
  expect(stdout).toMatch(/pass 2$/m);
});
