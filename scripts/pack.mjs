// `npm run pack`: the packages as they are published, one tarball each, in a folder.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fail, prepare, root, run } from './prepare.mjs';

const args = process.argv.slice(2);
if (args.includes('--help') || args.length > 1) {
  console.log(`Usage: npm run pack [-- FOLDER]

Builds the packages and writes one tarball for each into FOLDER (default: tarballs).

  npm run pack
  npm run pack -- /tmp/gantry`);
  process.exit(args.includes('--help') ? 0 : 1);
}

const node = prepare();
const target = resolve(args[0] ?? join(root, 'tarballs'));
const packages = readdirSync(join(root, 'packages'));

for (const name of packages) rmSync(join(root, 'packages', name, 'dist'), { recursive: true, force: true });
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const tsc = join(root, 'node_modules/typescript/bin/tsc');
if (run(node, [tsc, '-b']) !== 0 || run(node, ['scripts/build.mjs']) !== 0) fail('The packages could not be built.');

mkdirSync(target, { recursive: true });
for (const file of readdirSync(target).filter((name) => /^gantry-.*\.tgz$/.test(name))) rmSync(join(target, file));
const staged = mkdtempSync(join(tmpdir(), 'gantry-pack-'));
for (const name of packages) stage(name);
const flags = ['pack', '--silent', '--pack-destination', target];
const folders = packages.map((name) => join(staged, name));
const status = run('npm', [...flags, ...folders], { stdio: ['ignore', 'ignore', 'inherit'] });
rmSync(staged, { recursive: true, force: true });
if (status !== 0) fail('The packages could not be packed.');
console.log(`Packed ${packages.length} packages of version ${version} into ${target}`);

/** Copies what a package publishes, without what only a checkout needs. */
function stage(name) {
  const from = join(root, 'packages', name);
  const to = join(staged, name);
  const manifest = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'));
  mkdirSync(to);
  for (const file of manifest.files) cpSync(join(from, file), join(to, file), { recursive: true, filter: isPublished });
  cpSync(join(root, 'LICENSE'), join(to, 'LICENSE'));
  writeFileSync(join(to, 'package.json'), `${JSON.stringify(published(manifest), undefined, 2)}\n`);
}

function isPublished(path) {
  return !path.endsWith('.tsbuildinfo');
}

/** Leaves out `private` and the condition that names sources, which are not published. */
function published({ private: _, ...manifest }) {
  return JSON.parse(JSON.stringify(manifest, (key, value) => (key === '@gantry/source' ? undefined : value)));
}
