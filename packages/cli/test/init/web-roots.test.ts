import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { serveFiles } from '../site-check/serve-files.ts';
import { expressPackage, initIn, packageJson, type Stranger, sites, stranger } from './stranger.ts';

const names = ['keys.json', 'gantry.env', 'gantry.db', 'sample-members.json'];

/** Returns the addresses of secrets that a server of the folder, or of the one above it, sends. */
async function publicFiles({ folder }: Stranger): Promise<readonly string[]> {
  const [inner, outer] = [await serveFiles(folder), await serveFiles(dirname(folder))];
  const site = basename(folder);
  const tried = ['', '.gantry/'].flatMap((place) =>
    names.flatMap((name) => [
      `${inner}/${place}${name}`,
      ...[site, `${site}-gantry`].map((one) => `${outer}/${one}/${place}${name}`),
    ]),
  );
  const statuses = await Promise.all(tried.map(async (address) => (await fetch(address)).status));
  return tried.filter((_, index) => statuses[index] === 200).map((address) => new URL(address).pathname);
}

const serving = `import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';

const server = createServer((request, response) => createReadStream('.' + request.url).pipe(response));
server.listen(3000);
`;

const shapes: readonly (readonly [string, Readonly<Record<string, string>>, readonly string[]])[] = [
  ['PHP without index.php', { 'shop.php': '<?php' }, []],
  ['another language beside an index.html', { 'index.html': '<!doctype html>' }, ['--framework', 'other']],
  ['a server of node:http that sends its folder', { 'server.mjs': serving }, []],
];

test.each(shapes)(
  '%s: --yes refuses to guess, and what was chosen is out of reach (security rule 31)',
  async (_, files, args) => {
    const site = stranger(files);
    const refused = await site.init('--yes', ...args);
    expect(refused).toMatchObject({ code: 2, out: expect.not.stringContaining('Written') });
    expect(refused.err).toMatch(
      /^Keys must not lie where a web server could send them: .* Choose with --data \S+, or --data \S+\/site\/\.gantry if no server sends files of /,
    );
    expect(existsSync(join(site.folder, 'package.json'))).toBe(false);

    const [, choice = ''] = /--data (\S+),/.exec(refused.err) ?? [];
    expect(dirname(choice)).toBe(`${site.folder}-home/gantry`);
    expect(await site.init('--yes', '--data', choice, ...args)).toMatchObject({ code: 0, err: '' });
    expect(existsSync(join(choice, 'keys.json'))).toBe(true);
    expect(statSync(choice).mode & 0o777).toBe(0o700);
    expect(await publicFiles(site)).toEqual([]);

    // A later run, for example after a deploy, finds the place in the site's files.
    const again = await site.init('--yes', ...args);
    expect(again).toMatchObject({ code: 0, err: '', out: expect.stringContaining('Nothing to do') });
  },
);

test('PHP with index.php is a web root for certain: nothing is asked (security rule 31)', async () => {
  const site = stranger({ 'index.php': '<?php' });
  expect(await site.init('--yes')).toMatchObject({ code: 0, err: '' });
  expect(await publicFiles(site)).toEqual([]);
  expect(site.read('gantry-viewer.php')).toMatch(
    /file_get_contents\('\/.*-home\/gantry\/site-[0-9a-f]{8}\/gantry\.env'\)/,
  );
});

test.each(shapes)('%s: the folder that was the default gives its keys away (control)', async (_, files, args) => {
  const site = stranger(files);
  await site.init('--yes', '--data', join(site.folder, '.gantry'), ...args);
  expect(await publicFiles(site)).toEqual(expect.arrayContaining(['/.gantry/keys.json', '/.gantry/gantry.db']));
});

test.each([
  [
    'a home page of its own',
    sites.esm.replace('app.use(express.json())', "app.use(express.static('public'))"),
    undefined,
  ],
  [
    'a folder that a constant names',
    sites.esm.replace('app.use(express.json())', 'app.use(express.static(root))'),
    'static',
  ],
  ['its own folder', sites.esm.replace('app.use(express.json())', "app.use(express.static('.'))"), 'static'],
  [
    'its own folder by name',
    sites.esm.replace('app.use(express.json())', 'app.use(express.static(import.meta.dirname))'),
    'static',
  ],
  ['the folder above', sites.esm.replace('app.use(express.json())', "app.use(express.static('public/..'))"), 'static'],
  ['files with a dot', `${sites.esm}const options = { dotfiles: 'allow' };`, 'begin with a dot'],
  [
    'files that requests name',
    `${sites.esm}app.get('/x', (req, res) => res.sendFile(req.query.file, { root: '.' }));`,
    'sendFile',
  ],
  ['one file', `${sites.esm}app.get('/x', (req, res) => res.sendFile('public/x.html', { root: '.' }));`, undefined],
])('an Express site that sends %s', async (_, text, reason) => {
  const site = stranger({ 'server.js': text, 'package.json': expressPackage });
  const { code, err } = await site.init('--yes');
  expect([code, err]).toEqual(reason === undefined ? [0, ''] : [2, expect.stringContaining(reason)]);
});

test.each([
  ['below public_html', 'public_html/shop', 2],
  ['below a web server’s www', 'www/shop', 2],
  ['elsewhere', 'code/shop', 0],
])('a site %s (security rule 31)', async (_, folder, code) => {
  const site = stranger({ [`${folder}/server.mjs`]: sites.http });
  expect(await site.initBelow(folder, '--yes')).toMatchObject({ code });
});

test('a data directory below a web root is no place for keys (security rule 31)', async () => {
  const site = stranger({ 'index.php': '<?php' });
  const { code, err } = await initIn(site.folder, ['--yes'], { XDG_DATA_HOME: '/var/www/.local/share' });
  expect([code, err]).toEqual([2, expect.stringContaining('Choose with --data FOLDER')]);
});

test('a site of an earlier version keeps its place: a sibling, or .gantry (security rule 31)', async () => {
  const site = stranger({
    'index.php': '<?php',
    'package.json': packageJson({ scripts: { gantry: 'node --env-file=../site-gantry/gantry.env x.js' } }),
  });
  const data = `${site.folder}-gantry`;
  mkdirSync(data, { mode: 0o700 });
  writeFileSync(join(data, 'gantry.env'), `GANTRY_DATA="${data}"\nGANTRY_VIEWER_KEY=${'k'.repeat(43)}\n`, {
    mode: 0o600,
  });
  expect(await site.init('--yes')).toMatchObject({ code: 0, err: '' });
  expect(existsSync(join(data, 'keys.json'))).toBe(true);

  const inside = stranger({ 'index.html': '', 'app.py': sites.flask, '.gantry/keys.json': '{}' });
  const { out } = await inside.init('--dry-run');
  expect(out).toContain(
    `Note: The data folder lies in the site's folder, and index.html lies in ${inside.folder}. gantry check asks for its files.`,
  );
});
