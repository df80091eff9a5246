import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, test } from 'vitest';
import { folderForTest } from '../../wire/test/temporary-folder.ts';

const bin = fileURLToPath(new URL('../bin/gantry.js', import.meta.url));

let folder: string;
beforeEach(() => {
  folder = folderForTest();
});

/** Runs a program in a process that pretends to be another release of Node. */
function run(program: string, version: string): { readonly code: number | null; readonly text: string } {
  const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`;
  const args = ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`, program, '--help'];
  const { NODE_OPTIONS, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env });
  return { code: status, text: stdout + stderr };
}

/** The program as it is installed without the sources. */
function installed(): string {
  const program = join(folder, 'bin', 'gantry.js');
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  copyFileSync(bin, program);
  return program;
}

test.each(['16.20.2', '20.20.2', '22.17.1'])('the command on Node %s ends with one line that says why', (version) => {
  expect(run(installed(), version)).toEqual({
    code: 1,
    text: `gantry needs Node 22.18 or newer and this is ${version}: install it from https://nodejs.org, or with nvm install 22.\n`,
  });
});

test('the command starts on Node 22.18 and later (positive control)', () => {
  expect(run(installed(), '22.18.0').text).toContain("Cannot find package '@gantry/cli'");
});

const supplied = new URL(`../../../node_modules/node-${process.platform}-${process.arch}`, import.meta.url);
if (existsSync(supplied)) {
  test('an older Node in a checkout hands over to the Node of the checkout', () => {
    const { code, text } = run(bin, '20.20.2');
    expect([code, text.split('\n')[0]]).toEqual([
      0,
      "Gantry hosts other people's apps safely and gives them the site's people, activities, AppData and albums.",
    ]);
  });
}
