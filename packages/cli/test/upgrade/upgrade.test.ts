import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { manifestJsonSchema } from '../../../proxy/src/apps/manifest-schema.ts';
import { main } from '../../src/main.ts';
import { NotWritten } from '../../src/terminal/output.ts';
import type { Codemod } from '../../src/upgrade/codemod.ts';
import { codemods } from '../../src/upgrade/codemods.ts';
import { type UpgradeOptions, upgradeFolder } from '../../src/upgrade/upgrade-folder.ts';
import { type Stranger, stranger } from '../init/stranger.ts';

const schemaFile = 'node_modules/@gantry/cli/gadget.schema.json';
const old = '{\n  "name": "Hello",\n  "page": "index.html"\n}\n';
const upgraded = `{\n  "$schema": "./${schemaFile}",\n  "name": "Hello",\n  "page": "index.html"\n}\n`;

/** A gadget in a folder in which @gantry/cli is installed. */
function gadget(files: Readonly<Record<string, string>>): Stranger {
  return stranger({ [schemaFile]: '{}', ...files });
}

async function upgrade(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const lines = { out: [] as string[], err: [] as string[] };
  const output = { out: (line: string) => lines.out.push(line), err: (line: string) => lines.err.push(line) };
  const code = await main(['upgrade', ...args], {}, output);
  return { code, out: lines.out.join('\n'), err: lines.err.join('\n') };
}

test('shows the difference, and writes nothing without a yes (guide for app authors)', async () => {
  const { folder, read } = gadget({ 'gadget.json': old });
  const { code, out, err } = await upgrade(folder);
  expect(out).toContain(`+  "$schema": "./${schemaFile}",`);
  expect([code, err]).toEqual([3, 'Nothing was written: --yes writes it.']);
  expect(await upgrade(folder, '--check')).toMatchObject({ code: 1, err: 'To be upgraded: 1 files.' });
  expect(read('gadget.json')).toBe(old);
});

test('writes with --yes, and finds nothing to do afterwards (guide for app authors)', async () => {
  const { folder, read } = gadget({ 'gadget.json': old });
  expect(await upgrade(folder, '--yes')).toMatchObject({ code: 0, err: '' });
  expect(read('gadget.json')).toBe(upgraded);
  expect(await upgrade(folder, '--check')).toEqual({ code: 0, out: 'Nothing to do.', err: '' });
});

test('asks at a terminal, and takes no for no (guide for app authors)', async () => {
  const { folder, read } = gadget({ 'gadget.json': old });
  const questions: string[] = [];
  const answering = (answer: boolean): UpgradeOptions => ({
    ...{ folder, codemods, settings: {}, mode: 'ask', json: false },
    ask: async (question) => questions.push(question) > 0 && answer,
    output: { out: () => {}, err: () => {} },
  });
  await expect(upgradeFolder(answering(false))).rejects.toThrow(NotWritten);
  expect(read('gadget.json')).toBe(old);
  await upgradeFolder(answering(true));
  expect(questions).toEqual(['Write 1 files?', 'Write 1 files?']);
  expect(read('gadget.json')).toBe(upgraded);
});

test('--json prints one object (guide for app authors)', async () => {
  const { folder } = gadget({ 'gadget.json': old, 'broken/gadget.json': '{' });
  const { code, out } = await upgrade(folder, '--yes', '--json');
  expect(JSON.parse(out)).toEqual({
    changes: ['gadget.json'],
    codemods: ['0001-schema'],
    problems: [
      'broken/gadget.json is not JSON at 1:2: the file ends too early: a quote or a closing bracket is missing.',
    ],
    written: true,
  });
  expect(code).toBe(1);
});

test.each([
  ['tabs', '{\n\t"name": "A"\n}', `{\n\t"$schema": "./${schemaFile}",\n\t"name": "A"\n}`],
  ['Windows’ line endings', '{\r\n  "name": "A"\r\n}', `{\r\n  "$schema": "./${schemaFile}",\r\n  "name": "A"\r\n}`],
  ['one line', '{ "name": "A" }', `{ "$schema": "./${schemaFile}", "name": "A" }`],
  ['no spaces', '{"name":"A"}', `{"$schema": "./${schemaFile}", "name":"A"}`],
  ['a byte order mark', '\uFEFF{"name":"A"}', `\uFEFF{"$schema": "./${schemaFile}", "name":"A"}`],
])('keeps the formatting of a manifest with %s (guide for app authors)', async (_, before, after) => {
  const { folder, read } = gadget({ 'gadget.json': before });
  await upgrade(folder, '--yes');
  expect(read('gadget.json')).toBe(after);
});

test('names the schema by the way there from each manifest, and leaves one that has one (guide for app authors)', async () => {
  const own = '{ "$schema": "https://a.example/schema.json" }\n';
  const { folder, read } = gadget({ 'public/gadget.json': old, 'other/gadget.json': own });
  await upgrade(folder, '--yes');
  expect(read('public/gadget.json')).toContain(`"$schema": "../${schemaFile}"`);
  expect(read('other/gadget.json')).toBe(own);
});

test('says what it cannot do, and how a person can (guide for app authors)', async () => {
  const { folder, read } = stranger({ 'gadget.json': old, 'empty/gadget.json': '{}', 'list/gadget.json': '[]' });
  const { code, err } = await upgrade(folder, '--yes');
  expect(code).toBe(1);
  expect(err).toContain('gadget.json: no @gantry/cli with a schema is installed');
  expect(err).toContain('empty/gadget.json is empty.');
  expect(err).toContain('list/gadget.json is no JSON object.');
  expect(read('gadget.json')).toBe(old);

  await upgrade(folder, '--yes', '--schema', 'https://a.example/gantry/manifest.schema.json');
  expect(read('gadget.json')).toContain('"$schema": "https://a.example/gantry/manifest.schema.json"');
  expect(await upgrade(folder, '--schema', 'schema.json')).toMatchObject({ code: 2 });
});

test('a codemod sees what the one before it left, and both are one difference (guide for app authors)', async () => {
  const { folder, read } = gadget({ 'gadget.json': old });
  const rename: Codemod = {
    name: '0002-rename',
    summary: 'A second one',
    plan: (project) => {
      const before = project.read('gadget.json') ?? '';
      expect(before).toContain('$schema');
      return { changes: [{ path: 'gadget.json', before, after: before.replace('Hello', 'Moin') }], problems: [] };
    },
  };
  const out: string[] = [];
  await upgradeFolder({
    ...{ folder, settings: {}, mode: 'write', json: false },
    codemods: [...codemods, rename],
    output: { out: (line) => out.push(line), err: () => {} },
  });
  expect(read('gadget.json')).toBe(upgraded.replace('Hello', 'Moin'));
  expect(out.join('\n').match(/^--- a\/gadget\.json$/gm)).toHaveLength(1);
});

test('codemods are numbered without a gap, and each is in a file of its name (guide for app authors)', async () => {
  const folder = join(import.meta.dirname, '../../src/upgrade/codemods');
  for (const [index, { name }] of codemods.entries()) {
    expect(name.slice(0, 5)).toBe(`${String(index + 1).padStart(4, '0')}-`);
    expect(readFileSync(join(folder, `${name}.ts`), 'utf8')).toContain(`name: '${name}'`);
  }
});

test('the schema that comes with the command is the one that a site serves (guide for app authors)', () => {
  const file = join(import.meta.dirname, '../../gadget.schema.json');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(JSON.stringify(manifestJsonSchema)));
});

test('a folder that is none, and two folders, are not understood (guide for app authors)', async () => {
  const { folder } = gadget({ 'gadget.json': old });
  mkdirSync(join(folder, 'b'));
  writeFileSync(join(folder, 'c'), '');
  for (const args of [[join(folder, 'c')], [folder, folder], [folder, '--yes', '--check'], ['--no-such-flag']]) {
    expect(await upgrade(...args), String(args)).toMatchObject({ code: 2 });
  }
});
