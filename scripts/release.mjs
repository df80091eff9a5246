// `npm run release -- VERSION`: sets the version of every package and the changelog's heading.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fail, root } from './prepare.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { help: { type: 'boolean' }, root: { type: 'string' }, date: { type: 'string' } },
});
const [version] = positionals;
if (values.help || positionals.length !== 1) {
  console.log(`Usage: npm run release -- VERSION [--root FOLDER] [--date YYYY-MM-DD]

Writes VERSION into the package.json of the workspace and of every package, into their dependencies on each other and into
the lock file, and renames the changelog's section "Unreleased" to VERSION. It commits and publishes nothing:
docs/releasing.md has the steps.

  --root FOLDER      Checkout to change (default: this one)
  --date YYYY-MM-DD  Day of the release (default: today)

  npm run release -- 0.2.0`);
  process.exit(values.help ? 0 : 1);
}

const folder = values.root ?? root;
const workspace = read('package.json');
const problem = versionProblem(version, workspace.version);
if (problem) fail(problem);
const changelog = readFileSync(join(folder, 'CHANGELOG.md'), 'utf8');
const heading = `## ${version} - ${values.date ?? new Date().toISOString().slice(0, 10)}`;
const released = changelog.replace(/^## Unreleased\n+(?=\S)(?!## )/m, `## Unreleased\n\n${heading}\n\n`);
if (released === changelog) fail('CHANGELOG.md has nothing under "## Unreleased".');

const packages = readdirSync(join(folder, 'packages')).filter((name) => existsSync(join(folder, manifestOf(name))));
const ours = new Set(packages.map((name) => read(manifestOf(name)).name));
write('package.json', { ...workspace, version });
for (const name of packages) write(manifestOf(name), atVersion(read(manifestOf(name))));
const lock = read('package-lock.json');
lock.version = version;
lock.packages[''].version = version;
for (const name of packages) lock.packages[`packages/${name}`] = atVersion(lock.packages[`packages/${name}`]);
write('package-lock.json', lock);
writeFileSync(join(folder, 'CHANGELOG.md'), released);
console.log(
  `${packages.length} packages are at ${version}. Read the change, commit it, and go on with docs/releasing.md.`,
);

function atVersion(manifest) {
  const atSame = ([field, ranges]) => [
    field,
    /^(dev|peer)?dependencies$/i.test(field)
      ? Object.fromEntries(Object.entries(ranges).map(([name, range]) => [name, ours.has(name) ? version : range]))
      : ranges,
  ];
  return { ...Object.fromEntries(Object.entries(manifest).map(atSame)), version };
}

/** Checks a semantic version and that it is greater than the current one. */
function versionProblem(next, now) {
  const parts = /^(\d+)\.(\d+)\.(\d+)(-[0-9a-z]+(\.[0-9a-z]+)*)?$/i;
  if (!parts.test(next)) return `${next} is no version: write 1.2.3, or 1.2.3-beta.1.`;
  const [, ...after] = parts.exec(next);
  const [, ...before] = parts.exec(now);
  const place = [0, 1, 2].find((index) => Number(after[index]) !== Number(before[index]));
  const isLater =
    place === undefined ? before[3] !== undefined && next !== now : Number(after[place]) > Number(before[place]);
  return isLater ? undefined : `${next} does not come after ${now}.`;
}

function manifestOf(name) {
  return `packages/${name}/package.json`;
}

function read(path) {
  return JSON.parse(readFileSync(join(folder, path), 'utf8'));
}

function write(path, content) {
  writeFileSync(join(folder, path), `${JSON.stringify(content, undefined, 2)}\n`);
}
