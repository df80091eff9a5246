import { readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expressPackage, packageJson, type Stranger, sites, stranger } from './stranger.ts';

const express = { 'server.js': sites.esm, 'package.json': expressPackage };

/** Every file of a project with its content, but for the data folder. */
function snapshot({ folder, read }: Stranger): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
  return Object.fromEntries(files.filter((path) => !path.startsWith('.gantry/')).map((path) => [path, read(path)]));
}

test('without a terminal and without --yes the difference is shown, nothing is written, and the code is 3 (site owner’s guide)', async () => {
  const site = stranger(express);
  const before = snapshot(site);
  const { code, out, err } = await site.init();
  expect([code, err]).toEqual([3, '--yes writes it.']);
  expect(out).toMatch(/^Found Express: server\.js imports it\.\n--- a\/server\.js\n\+\+\+ b\/server\.js\n@@/);
  expect(out).toContain('\n+app.use(gantryListener);');
  expect(out).toContain('\n--- /dev/null\n+++ b/gantry.js\n');
  expect(snapshot(site)).toEqual(before);
  expect(readdirSync(site.folder).sort()).toEqual(['package.json', 'server.js']);
});

test('--dry-run shows the same and is no failure; both flags are one too many (site owner’s guide)', async () => {
  const site = stranger(express);
  const result = await site.init();
  expect(await site.init('--dry-run')).toEqual({ code: 0, out: result.out, err: '' });
  expect(await site.init('--dry-run', '--yes')).toMatchObject({ code: 2, err: 'Use either --yes or --dry-run.' });
});

test('--yes writes, registers two gadgets, checks, and says the next commands; again there is nothing to do (site owner’s guide)', async () => {
  const site = stranger(express);
  const { code, out, err } = await site.init('--yes');
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(
    /Next:\n {2}npm install\n {2}node server\.js\nThen open http:\/\/localhost:3456\/gadgets\.html\.\n/,
  );
  const written = snapshot(site);
  expect(Object.keys(written).sort()).toEqual([
    ...['.gitignore', 'gadgets.html', 'gadgets/friends/gadget.json', 'gadgets/friends/index.html'],
    ...['gadgets/friends/style.css', 'gadgets/notes/gadget.json', 'gadgets/notes/index.html', 'gadgets/notes/notes.js'],
    ...['gadgets/notes/style.css', 'gantry.js', 'package.json', 'server.js'],
  ]);
  expect(written['.gitignore']).toBe('node_modules/\n.gantry/\n');
  expect(written['gantry.js']).toContain('request?.session?.memberId');
  expect(JSON.parse(written['package.json'] as string).dependencies).toEqual({
    '@gantry/cli': '0.1.0',
    '@gantry/server': '0.1.0',
    express: '^5.0.0',
  });
  const again = await site.init('--yes');
  expect(again).toMatchObject({ code: 0, err: '' });
  expect(again.out).toMatch(/^Found Express: server\.js imports it\.\nNothing to do: everything is set up\.\n/);
  expect(snapshot(site)).toEqual(written);
});

test('--json prints one object: found, changes, written, next (site owner’s guide)', async () => {
  const site = stranger(express);
  const result = await site.init('--json');
  expect(result.code).toBe(3);
  expect(JSON.parse(result.out)).toMatchObject({ found: { framework: 'express', entry: 'server.js' }, written: false });
  const { out } = await site.init('--json', '--yes');
  const report = JSON.parse(out);
  expect(report).toMatchObject({
    written: true,
    checked: 'files',
    problems: [],
    next: ['npm install', 'node server.js'],
  });
  expect(report.changes[0]).toEqual({ path: 'server.js', done: 'changed' });
  expect(JSON.parse((await site.init('--json')).out)).toMatchObject({ written: false, changes: [] });
});

test('keys are for their owner only and are never printed (security rules 8 and 30)', async () => {
  const site = stranger({ 'app.py': sites.flask });
  const result = await site.init();
  const { out } = await site.init('--yes');
  const mode = (path: string) => (statSync(join(site.folder, path)).mode & 0o777).toString(8);
  expect([mode('.gantry'), mode('.gantry/keys.json'), mode('.gantry/gantry.db'), mode('gantry.env')]).toEqual([
    '700',
    '600',
    '600',
    '600',
  ]);
  const { secretKey, tokenKeys } = JSON.parse(site.read('.gantry/keys.json'));
  const [, viewerKey = ''] = /^GANTRY_VIEWER_KEY=(\S+)$/m.exec(site.read('gantry.env')) ?? [];
  expect(viewerKey).toMatch(/^[\w-]{43}$/);
  for (const key of [secretKey, tokenKeys[0].key, viewerKey]) expect(result.out + out).not.toContain(key);
  expect(site.read('.gitignore')).toBe('node_modules/\n.gantry/\ngantry.env\n');
});

test('passwords of sample members are random, in a private file, and not printed (security rules 8 and 30)', async () => {
  const passwords: string[] = [];
  for (const site of [stranger({ 'server.js': sites.http }), stranger({ 'server.js': sites.http })]) {
    const { out } = await site.init('--yes');
    const { members } = JSON.parse(site.read('.gantry/sample-members.json'));
    for (const { password } of members) expect(out).not.toContain(password);
    expect(statSync(join(site.folder, '.gantry/sample-members.json')).mode & 0o777).toBe(0o600);
    passwords.push(...members.map(({ password }: { password: string }) => password));
  }
  expect(new Set(passwords).size).toBe(4);
});

test('a site whose root is served keeps its keys in the user’s data directory (security rules 30 and 31)', async () => {
  const site = stranger({ 'index.php': '<?php session_start(); $_SESSION["user_id"] = 1;' });
  expect(await site.init('--yes')).toMatchObject({ code: 0 });
  expect(readdirSync(site.folder).sort()).toEqual([
    ...['.gitignore', 'gadgets', 'gadgets.php', 'gantry-nginx.conf', 'gantry-viewer.php', 'index.php', 'package.json'],
  ]);
  const home = `${site.folder}-home/gantry`;
  const [name = ''] = readdirSync(home);
  expect(name).toMatch(/^site-[0-9a-f]{8}$/);
  const data = join(home, name);
  expect(readdirSync(data)).toEqual(expect.arrayContaining(['gantry.env', 'keys.json']));
  expect([home, data].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o700]);
  expect(site.read('gantry-viewer.php')).toContain(`file_get_contents('${data}/gantry.env')`);
  expect(site.read('gadgets.php')).toContain("$_SESSION['user_id']");
});

test('a failure half-way leaves everything as it was (site owner’s guide)', async () => {
  const site = stranger({ ...express, 'gadgets/notes': 'a file where a folder belongs' });
  const before = snapshot(site);
  const { code, err } = await site.init('--yes');
  expect(code).toBe(1);
  expect(err).toMatch(/gadgets\/notes/);
  expect(err.split('\n')).toHaveLength(1);
  expect(snapshot(site)).toEqual(before);
  expect(readdirSync(site.folder).sort()).toEqual(['gadgets', 'package.json', 'server.js']);
});

test('a data folder that cannot be made takes the files back too (site owner’s guide)', async () => {
  const site = stranger({ ...express, '.gantry': 'a file' });
  const { code, err } = await site.init('--yes');
  expect(code).toBe(1);
  expect(err.split('\n')).toHaveLength(1);
  expect(Object.keys(snapshot(site)).sort()).toEqual(['.gantry', 'package.json', 'server.js']);
  expect(site.read('server.js')).toBe(sites.esm);
});

test.each(['gantry.js', 'gadgets.html', 'package.json', '.gitignore', 'gadgets'])(
  'a symbolic link named %s is refused, not followed (security rule 30)',
  async (name) => {
    const outside = stranger({ 'target.txt': 'theirs', 'folder/index.html': '' });
    const site = stranger({ 'server.js': sites.esm });
    symlinkSync(join(outside.folder, name === 'gadgets' ? 'folder' : 'target.txt'), join(site.folder, name));
    if (name !== 'gadgets') expect(site.read(name)).toBe('theirs'); // control: a read follows the link
    const { code, err } = await site.init('--yes');
    expect([code, site.read('server.js')]).toEqual([2, sites.esm]);
    expect(err).toContain(name);
    expect(snapshot(outside)).toEqual({ 'folder/index.html': '', 'target.txt': 'theirs' });
  },
);

test('a file of the site’s own that is named gantry.js is not overwritten (site owner’s guide)', async () => {
  const site = stranger({ ...express, 'gantry.js': 'export const mine = 1;\n' });
  expect(await site.init('--yes')).toMatchObject({
    code: 2,
    err: 'gantry.js exists and was not written by gantry init: rename it first.',
  });
  expect(Object.keys(snapshot(site)).sort()).toEqual(['gantry.js', 'package.json', 'server.js']);
});

test('a module that its owner changed stays as it is (site owner’s guide)', async () => {
  const site = stranger(express);
  await site.init('--yes');
  const mine = `${site.read('gantry.js')}// mine\n`;
  writeFileSync(join(site.folder, 'gantry.js'), mine);
  writeFileSync(join(site.folder, 'gadgets/notes/notes.js'), '// mine\n');
  expect(await site.init('--yes')).toMatchObject({ code: 0, out: expect.stringContaining('Nothing to do') });
  expect([site.read('gantry.js'), site.read('gadgets/notes/notes.js')]).toEqual([mine, '// mine\n']);
});

test('an unknown project asks for --framework without a terminal (site owner’s guide)', async () => {
  const site = stranger({ 'main.go': 'package main' });
  const { code, err } = await site.init('--yes');
  expect([code, err]).toEqual([2, expect.stringContaining('--framework express|next|node|php|flask|other')]);
  expect((await site.init('--framework', 'rails')).err).toBe(
    '--framework takes express, next, node, php, flask, other, not "rails".',
  );
  const { out } = await site.init('--yes', '--framework', 'other', '--data', join(site.folder, '.gantry'));
  expect(out).toContain('Found another kind of site: set by --framework.');
  expect(site.read('package.json')).toContain('--env-file=gantry.env');
});

test('Next gets a server and scripts; scripts that are not understood are left alone (site owner’s guide)', async () => {
  const scripts = { dev: 'next dev', build: 'next build', start: 'next start' };
  const dependencies = { '@gantry/cli': 'file:../t/gantry-cli-0.1.0.tgz', next: '16.0.0' };
  const site = stranger({ 'package.json': packageJson({ scripts, dependencies }), 'app/page.js': '' });
  expect(await site.init('--yes')).toMatchObject({ code: 0, err: '' });
  expect(JSON.parse(site.read('package.json'))).toEqual({
    scripts: { dev: 'node server.mjs --dev', build: 'next build', start: 'node server.mjs' },
    dependencies: { ...dependencies, '@gantry/server': 'file:../t/gantry-server-0.1.0.tgz' },
  });
  expect(site.read('server.mjs')).toContain('addGantry(createServer(site.getRequestHandler()))');
  expect(await site.init('--yes')).toMatchObject({ code: 0, out: expect.stringContaining('Nothing to do') });
  const monorepo = stranger({
    'package.json': packageJson({ scripts: { dev: 'turbo dev' }, dependencies }),
    'app/page.js': '',
  });
  expect(await monorepo.init('--yes')).toMatchObject({ code: 2, err: expect.stringContaining('"turbo dev"') });
});

test('package.json keeps its indent, line endings and byte order mark (site owner’s guide)', async () => {
  const text = `\uFEFF${JSON.stringify({ name: 'x', dependencies: { express: '5' } }, undefined, '\t')}\n`.replaceAll(
    '\n',
    '\r\n',
  );
  const site = stranger({ 'server.js': sites.commonjs, 'package.json': text });
  expect(await site.init('--yes')).toMatchObject({ code: 0 });
  expect(site.read('package.json')).toBe(
    text.replace('\t\t"express"', '\t\t"@gantry/cli": "0.1.0",\r\n\t\t"@gantry/server": "0.1.0",\r\n\t\t"express"'),
  );
});

test('the rest of package.json stays as it is written (site owner’s guide)', async () => {
  const text = `{ "files": ["a", "b"],\n    "dependencies": {\n        "zod": "4"\n    }\n}`;
  const site = stranger({ 'server.js': sites.commonjs, 'package.json': text });
  expect(await site.init('--yes')).toMatchObject({ code: 0 });
  expect(site.read('package.json')).toBe(
    text.replace('"zod"', '"@gantry/cli": "0.1.0",\n        "@gantry/server": "0.1.0",\n        "zod"'),
  );
});

test.each([
  [
    'that is nested too deeply',
    `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    'package.json is not a JSON object: correct it first.',
  ],
  [
    'with a member twice, of which Node takes the last',
    '{ "dependencies": {}, "dependencies": {} }',
    'package.json has a member twice: correct it first.',
  ],
])('a package.json %s is left alone (security rule 25)', async (_, text, err) => {
  const site = stranger({ 'server.js': sites.commonjs, 'package.json': text });
  expect(await site.init('--yes')).toMatchObject({ code: 2, err });
  expect(site.read('package.json')).toBe(text);
});
