// `npm run pack`: writes the publishable packages, one tarball each, into a folder.
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildStaging, packageNames, publishStaging } from './pack-staging.mjs';
import { fail, prepare, root, run } from './prepare.mjs';

const args = process.argv.slice(2);
if (args.includes('--help') || args.length > 1) {
  console.log(`Usage: npm run pack [-- FOLDER]

Builds the packages in a copy, so that running programs of this checkout are not affected, and writes one tarball
for each into FOLDER (default: tarballs). Removes Gantry's earlier tarballs there.

  npm run pack
  npm run pack -- /tmp/gantry`);
  process.exit(args.includes('--help') ? 0 : 1);
}

const node = prepare();
const target = resolve(args[0] ?? join(root, 'tarballs'));
const staging = realpathSync(mkdtempSync(join(tmpdir(), 'gantry-pack-')));
process.on('exit', () => rmSync(staging, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1));

if (!buildStaging(node, staging)) fail('The packages could not be built.');
const folders = packageNames().map((name) => publishStaging(staging, name));

mkdirSync(target, { recursive: true });
for (const file of tarballs()) rmSync(join(target, file));
const flags = ['pack', '--silent', '--ignore-scripts', '--pack-destination', target];
const npm = run('npm', [...flags, ...folders], { env: process.env, stdio: ['ignore', 'ignore', 'inherit'] });
if (npm !== 0) fail('The packages could not be packed.');
for (const file of tarballs()) console.log(`${sizeOf(file).padStart(9)}  ${file}`);
console.log(`Packed ${tarballs().length} packages into ${target}`);

function tarballs() {
  return readdirSync(target).filter((name) => /^(create-)?gantry-.*\.tgz$/.test(name));
}

function sizeOf(file) {
  return `${(statSync(join(target, file)).size / 1000).toFixed(1)} kB`;
}
