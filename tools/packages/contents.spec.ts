import { lstatSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, relative } from 'node:path';
import { expect, test } from '@playwright/test';
import { type Files, faultsOf } from './faults.ts';
import { installed, manifestOf, names, published, root, run, site, tarballOf } from './harness.ts';

const thirdParty = join(root, 'scripts/third-party.mjs');
const places = [root, join(homedir(), '/'), 'gantry-pack-'];

for (const name of names) {
  test(`the published files of ${published(name)} are complete, and there are no others`, () => {
    expect(faultsOf(filesOf(installed(name)), places)).toEqual([]);
  });
}

test('the tested packages were installed from tarballs, not linked', () => {
  for (const name of names) {
    expect(lstatSync(installed(name)).isSymbolicLink(), name).toBe(false);
    expect(statSync(tarballOf(name)).size).toBeGreaterThan(1000);
  }
  expect(relative(root, site)).toMatch(/^\.\./);
});

test('all packages have one version and depend on exactly that one of each other', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const ours = new Set(names.map(published));
  for (const name of names) {
    const manifest = manifestOf(name);
    const internal = Object.entries(manifest.dependencies ?? {}).filter(([other]) => ours.has(other));
    expect([manifest.version, ...internal.map(([, range]) => range)], name).toEqual(
      Array(internal.length + 1).fill(version),
    );
  }
});

test('each README has at most 60 lines and no link that only the repository has', () => {
  for (const name of names) {
    const text = readFileSync(join(installed(name), 'README.md'), 'utf8');
    expect(text.split('\n').length, name).toBeLessThanOrEqual(61);
    expect(text.match(/\]\((?!https:)[^)]*\)/g), name).toBeNull();
  }
});

for (const [name, others] of Object.entries({
  container: Object.keys(manifestOf('container').dependencies ?? {}).filter((other) => !other.startsWith('@gantry/')),
  dev: ['idb-keyval', 'lit', 'lit-html'],
})) {
  test(`the tarball of ${published(name)} has the licences of the code of others in its scripts for browsers`, () => {
    const text = readFileSync(join(installed(name), 'THIRD-PARTY.md'), 'utf8');
    for (const other of others) expect(text).toContain(`## ${other}\n`);
    expect(text).toContain('Apache License');
    expect(text).toContain('BSD 3-Clause License');
  });
}

test('THIRD-PARTY.md is current, and every licence in it is allowed', async () => {
  const { code, text } = await run(process.execPath, [thirdParty, '--check']);
  expect(text).toMatch(/^\d+ packages, all under licences that are allowed\.\n$/);
  expect(code).toBe(0);
});

test('a licence that is not allowed, and a list that is not current, are refused (positive control)', async () => {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const check = (file: string) => {
    writeFileSync(file, JSON.stringify(lock));
    return run(process.execPath, [thirdParty, '--check', file]);
  };
  lock.packages['node_modules/pg'].version = '0.0.1';
  expect(await check(join(site, 'other-lock.json'))).toMatchObject({
    code: 1,
    text: expect.stringContaining('not current'),
  });
  lock.packages['node_modules/pg'].license = 'AGPL-3.0-only';
  expect(await check(join(site, 'refused-lock.json'))).toEqual({
    code: 1,
    text: 'pg is licensed AGPL-3.0-only: not allowed.\n',
  });
});

const faulty: Readonly<
  Record<string, { readonly change: Record<string, string | undefined>; readonly fault: RegExp }>
> = {
  sources: { change: { 'src/index.ts': 'export const a: number = 1;' }, fault: /src\/index\.ts is published/ },
  'a source beside what is built': { change: { 'dist/index.ts': '' }, fault: /dist\/index\.ts is a source/ },
  'build information': { change: { 'dist/.tsbuildinfo': '{}' }, fault: /\.tsbuildinfo is published/ },
  'a path of this machine': { change: { 'dist/index.js': `// ${root}` }, fault: /dist\/index\.js names / },
  'a map without its sources': { change: { 'dist/index.js.map': '{"sources":["a.ts"]}' }, fault: /carry its sources/ },
  'an undeclared package': { change: { 'dist/index.js': "import pg from 'pg';" }, fault: /pg, which is not declared/ },
  'an undeclared package in types': {
    change: { 'dist/index.d.ts': 'export type A = import("pino").Logger;' },
    fault: /pino, which is not declared/,
  },
  'an import of a file that is missing': {
    change: { 'dist/index.js': "import './gone.js';" },
    fault: /gone.js, which/,
  },
  'no README': { change: { 'README.md': undefined }, fault: /no README\.md/ },
  'an export without types': {
    change: { 'package.json': '{"exports":{"./a.js":"./dist/a.js"}}' },
    fault: /a\.js has no types/,
  },
  'the condition of sources': {
    change: { 'package.json': '{"exports":{".":{"@gantry/source":"./src/a.ts"}}}' },
    fault: /names sources/,
  },
};
for (const [what, { change, fault }] of Object.entries(faulty)) {
  test(`a tarball with ${what} is refused (positive control)`, () => {
    const files = new Map(filesOf(installed('wire')));
    for (const [path, text] of Object.entries(change)) {
      if (text === undefined) files.delete(path);
      else files.set(path, text);
    }
    expect(faultsOf(files, places).join('\n')).toMatch(fault);
  });
}

function filesOf(folder: string): Files {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name));
  return new Map(paths.map((path) => [relative(folder, path).replaceAll('\\', '/'), readFileSync(path, 'utf8')]));
}
