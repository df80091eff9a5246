import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkManifest } from '@gantry/proxy';
import { expect, onTestFinished, test } from 'vitest';
import { createGadget } from '../src/create-gadget.ts';
import { type TemplateName, templateNames, templates } from '../src/templates.ts';
import { typescriptForVue, versions } from '../src/versions.ts';

const root = join(import.meta.dirname, '../../..');
const template: TemplateName = 'plain';

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-create-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function everything(folder: string): string[] {
  return readdirSync(folder, { recursive: true }).map(String).sort();
}

test.each(templateNames)('a gadget of template %s is whole: manifest, story, test, CI, notes (ADR 49)', (name) => {
  const folder = join(emptyFolder(), 'hello');
  const { files } = createGadget({ folder, template: name });
  const always = [
    '.github/workflows/check.yml',
    '.github/workflows/push.yml',
    '.gitignore',
    'AGENTS.md',
    'README.md',
    'gadget.json',
    'index.html',
  ];
  expect(files).toEqual(
    expect.arrayContaining([
      ...always,
      'stories.gadget.ts',
      'package.json',
      'playwright.config.ts',
      'test/gadget.spec.ts',
    ]),
  );
  const read = (path: string) => readFileSync(join(folder, path), 'utf8');
  const manifest = JSON.parse(read('gadget.json'));
  expect(checkManifest(manifest)).toMatchObject({ name: 'Hello', page: 'index.html' });
  expect(manifest.$schema).toBe('./node_modules/@gantry/cli/gadget.schema.json');
  const left = files.filter((path) => /my-gadget|my gadget|<!-- (built|plain|end)/i.test(read(path)));
  expect(left).toEqual([]);
  const { scripts, devDependencies } = JSON.parse(read('package.json'));
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(['dev', 'check', 'test', 'pictures']));
  for (const version of Object.values(devDependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  if ('build' in scripts) expect(read('vite.config.ts')).toContain("base: './'");
  else expect(read('index.html')).toMatch(/<style>\n {6}\/\* Colours/);
});

test('versions are exact, and those with which the repository tries everything together (ADR 49)', () => {
  const locked = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8')).packages;
  const packages = locked('package-lock.json');
  const tools = locked('tools/packages/package-lock.json');
  for (const [name, version] of Object.entries(versions)) {
    const at = `node_modules/${name}`;
    expect((packages[at] ?? tools[at])?.version, name).toBe(version);
  }
  expect(tools['node_modules/typescript'].version).toBe(typescriptForVue);
  const { dependencies, version } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'));
  expect(dependencies).toBeUndefined(); // npm create downloads nothing else
  const made = join(emptyFolder(), 'hello');
  createGadget({ folder: made, template });
  const { devDependencies } = JSON.parse(readFileSync(join(made, 'package.json'), 'utf8'));
  for (const name of templates[template].own) expect(devDependencies[name]).toBe(version);
});

test.each([
  ['my-gadget', 'my-gadget', 'My gadget'],
  ['My Gädget!', 'my-gadget', 'My Gädget!'],
  ['Tide_Table', 'Tide_Table', 'Tide Table'],
  ['<b>&"x"', 'b-x', '<b>&"x"'],
  ['two\nlines\u001b[31m\u202e', 'two-lines-31m', 'two lines [31m'],
  ['$& $1', 'gadget-1', '$& $1'],
  ['3D.chess', 'gadget-3d-chess', '3D.chess'],
  ['x'.repeat(120), 'x'.repeat(64), 'x'.repeat(100)],
])('the name %j becomes the id %s and the title %s (ADR 49)', (name, id, title) => {
  const parent = emptyFolder();
  const made = createGadget({ folder: join(parent, name), template });
  expect(made).toMatchObject({ id, title, folder: join(parent, id) });
  const page = readFileSync(join(parent, id, 'index.html'), 'utf8');
  expect(page).toContain(`<title>${title.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</title>`);
  expect(JSON.parse(readFileSync(join(parent, id, 'gadget.json'), 'utf8')).name).toBe(title);
});

test.each(['日本', '!!!', 'dist', 'src', 'node_modules', '...'])('the name %j is refused (ADR 49)', (name) => {
  const parent = emptyFolder();
  expect(() => createGadget({ folder: join(parent, name), template })).toThrow('cannot be the id of an app');
  expect(everything(parent)).toEqual([]);
});

test('a folder with anything in it stays as it is, and what is there is named without its control characters (ADR 49)', () => {
  const folder = join(emptyFolder(), 'hello');
  mkdirSync(folder);
  writeFileSync(join(folder, 'gadget.json'), 'mine');
  writeFileSync(join(folder, 'red\u001b[31m'), '');
  const before = everything(folder);
  expect(() => createGadget({ folder, template })).toThrow('is not empty: gadget.json, red\\u{1b}[31m. Name another');
  expect(everything(folder)).toEqual(before);
  expect(readFileSync(join(folder, 'gadget.json'), 'utf8')).toBe('mine');
});

test('a repository without files is empty enough (ADR 49)', () => {
  const folder = join(emptyFolder(), 'hello');
  mkdirSync(join(folder, '.git'), { recursive: true });
  expect(createGadget({ folder, template }).files).toContain('gadget.json');
});

test('a failed write leaves nothing behind, not even the folder (ADR 49)', () => {
  const parent = emptyFolder();
  writeFileSync(join(parent, 'file'), '');
  expect(() => createGadget({ folder: join(parent, 'file'), template })).toThrow('a file is in its way');
  expect(() => createGadget({ folder: join(parent, 'file/below'), template })).toThrow('Nothing was written.');
  expect(everything(parent)).toEqual(['file']);
});

test('a folder that may not be written is one sentence (ADR 49)', () => {
  const parent = emptyFolder();
  chmodSync(parent, 0o555);
  const program = fileURLToPath(new URL('../bin/create-gantry.js', import.meta.url));
  const create = [process.execPath, program, join(parent, 'hello'), '--yes'];
  // Root may write anywhere, unless it drops that capability.
  const withoutOverride = ['setpriv', '--bounding-set=-dac_override,-dac_read_search'];
  const [command = '', ...args] = process.getuid?.() === 0 ? [...withoutOverride, ...create] : create;
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8', env: { PATH: process.env.PATH } });
  chmodSync(parent, 0o755);
  expect([status, stderr]).toEqual([
    1,
    expect.stringMatching(/hello" cannot be created \(EACCES\)\. Nothing was written\.\n$/),
  ]);
  expect(everything(parent)).toEqual([]);
});

test('tarballs stand for all packages of Gantry, those that only others ask for too (ADR 49)', () => {
  const parent = emptyFolder();
  const packages = join(parent, 'tarballs');
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  mkdirSync(packages);
  expect(() => createGadget({ folder: join(parent, 'a'), template, packages })).toThrow('no tarball of @gantry/cli, ');
  for (const name of ['gantry-cli', 'gantry-lab', 'gantry-testing', 'gantry-wire', 'create-gantry', 'other']) {
    writeFileSync(join(packages, `${name}-${version}.tgz`), '');
  }
  writeFileSync(join(packages, 'gantry-cli-0.0.1.tgz'), '');
  const manifestFor = (name: 'npm' | 'pnpm' | 'yarn') => {
    createGadget({ folder: join(parent, name), template, packages, manager: { name } });
    return JSON.parse(readFileSync(join(parent, name, 'package.json'), 'utf8'));
  };
  const cli = `file:${join(packages, `gantry-cli-${version}.tgz`)}`;
  const { devDependencies, overrides } = manifestFor('npm');
  expect(devDependencies['@gantry/cli']).toBe(cli);
  expect(devDependencies['@gantry/testing']).toMatch(/^file:.*gantry-testing-/);
  expect(Object.keys(overrides)).toHaveLength(5);
  expect(overrides['@gantry/cli']).toBe(cli);
  expect(manifestFor('pnpm').pnpm.overrides['@gantry/cli']).toBe(cli);
  expect(manifestFor('yarn').resolutions['@gantry/cli']).toBe(cli);
});
