import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { detectFramework } from '../../src/init/detect-framework.ts';
import { readProject } from '../../src/project/project.ts';
import { expressPackage, packageJson, sites, stranger } from './stranger.ts';

const find = (files: Readonly<Record<string, string>>) => detectFramework(readProject(stranger(files).folder));

describe('gantry init finds how a site is written, and says by what (site owner’s guide)', () => {
  const next = { dependencies: { next: '16.0.0', react: '19.0.0' } };
  test.each([
    ['Express with import', { 'server.js': sites.esm, 'package.json': expressPackage }, 'express', 'server.js'],
    ['Express with require', { 'index.js': sites.commonjs, 'package.json': packageJson({}) }, 'express', 'index.js'],
    [
      'Express by another name',
      { 'a.mjs': `import web from "express"\nexport const site = web()\n` },
      'express',
      'a.mjs',
    ],
    ['Express at once', { 'a.cjs': `const site = require('express')();\n` }, 'express', 'a.cjs'],
    [
      'Express in TypeScript',
      { 'src/app.ts': `import express, { type Express } from 'express';\nconst app: Express = express();\n` },
      'express',
      'src/app.ts',
    ],
    [
      'Next with app/',
      { 'package.json': packageJson(next), 'app/page.tsx': 'export default () => null;\n' },
      'next',
      undefined,
    ],
    [
      'Next with its own server',
      { 'package.json': packageJson(next), 'srv.js': `const next = require('next');\n` },
      'next',
      'srv.js',
    ],
    ['a Node server', { 'server.js': sites.http }, 'node', 'server.js'],
    [
      'a Node server by its whole module',
      { 's.cjs': `const http = require('http');\nhttp.createServer(h);\n` },
      'node',
      's.cjs',
    ],
    ['Flask', { 'app.py': sites.flask, 'requirements.txt': 'flask>=3\n' }, 'flask', 'app.py'],
    [
      'Flask in a package',
      { 'shop/__init__.py': 'import flask\ndef make():\n    app = flask.Flask(__name__)\n    return app\n' },
      'flask',
      'shop/__init__.py',
    ],
    ['PHP with a public folder', { 'public/index.php': '<?php echo 1;' }, 'php', 'public/index.php'],
    ['PHP with Composer', { 'composer.json': '{}', 'src/a.php': '<?php' }, 'php', undefined],
  ])('%s', (_, files, framework, entry) => {
    const site = find(files);
    expect(site).toMatchObject({ framework, ...(entry !== undefined && { entry }) });
    expect(site?.reason).toMatch(/\w/);
  });
});

test('a word in a comment or a string is no evidence (site owner’s guide)', () => {
  const text = `// import express from 'express'\n/* const app = express() */\nconst help = "app = require('express')()";\n`;
  expect(find({ 'server.js': text, 'note.txt': 'express()' })).toBeUndefined();
});

test('dependencies, builds, tests and hidden folders are not the site (site owner’s guide)', () => {
  const foreign = ['node_modules/x', 'dist', 'vendor', '.cache', 'test', '.venv/lib'];
  const files = Object.fromEntries(foreign.map((folder) => [`${folder}/server.js`, sites.esm]));
  expect(find(files)).toBeUndefined();
  expect(find({ ...files, 'server.js': sites.http })).toMatchObject({ framework: 'node' });
});

test('a symbolic link is not followed, to a file or to a folder (security rule 30)', () => {
  const outside = stranger({ 'server.js': sites.esm });
  const { folder } = stranger({ 'readme.txt': '' });
  symlinkSync(join(outside.folder, 'server.js'), join(folder, 'server.js'));
  symlinkSync(outside.folder, join(folder, 'src'));
  expect(detectFramework(readProject(folder))).toBeUndefined();
  expect(() => detectFramework(readProject(folder), { entry: 'server.js' })).toThrow(
    '--entry server.js is not a text file',
  );
});

test('a huge folder costs a bounded look, nearest files first (security rule 25)', () => {
  const { folder } = stranger({ 'server.js': sites.esm });
  mkdirSync(join(folder, 'many'));
  for (let index = 0; index < 6_000; index++) writeFileSync(join(folder, `many/f${index}.js`), '');
  const project = readProject(folder);
  expect(project.files.length).toBeLessThanOrEqual(5_000);
  expect(detectFramework(project)).toMatchObject({ framework: 'express', entry: 'server.js' });
});

test('names that a terminal would run or a diff would break at are passed over (security rule 25)', () => {
  const { folder } = stranger({ 'server.js': sites.esm });
  for (const name of ['a\nb.js', '\u001b[31mred.js', 'back\\slash.js', '\u202ejs.exe'])
    writeFileSync(join(folder, name), sites.esm);
  expect(readProject(folder).files).toEqual(['server.js']);
});

test('several apps at one depth are not guessed between (site owner’s guide)', () => {
  const files = { 'a.js': sites.esm, 'b.js': sites.esm };
  expect(() => find(files)).toThrow(
    'a.js, b.js each create an Express app: name the site’s with --entry FILE.'.replace('’', "'"),
  );
  expect(detectFramework(readProject(stranger(files).folder), { entry: 'b.js' })).toMatchObject({ entry: 'b.js' });
  expect(find({ 'a.js': sites.esm, 'deep/b.js': sites.esm })).toMatchObject({ entry: 'a.js' });
});

test('a project of two kinds is not guessed between (site owner’s guide)', () => {
  const files = { 'app.py': sites.flask, 'tools/proxy.js': sites.http };
  expect(() => find(files)).toThrow(
    'The project looks like node (tools/proxy.js calls createServer of node:http) and flask (app.py calls Flask(…)). Choose the site’s with --framework.'.replace(
      '’',
      "'",
    ),
  );
  expect(detectFramework(readProject(stranger(files).folder), { framework: 'flask' })).toMatchObject({
    entry: 'app.py',
  });
  expect(detectFramework(readProject(stranger(files).folder), { entry: 'tools/proxy.js' })).toMatchObject({
    framework: 'node',
  });
});

test('a package.json that is no object is named (site owner’s guide)', () => {
  expect(() => find({ 'package.json': '[]' })).toThrow('package.json is not a JSON object');
});
