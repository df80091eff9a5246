// Lists the npm packages of an installation with their licences, from the lock file.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, root } from './prepare.mjs';

/** Licences that require only their text, and two more, whose terms THIRD-PARTY.md explains. */
const allowed = new Set(['MIT', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0']);
const allowedOf = { 'LGPL-3.0-or-later': /^@img\/sharp-/, 'MPL-2.0': /^axe-core$/ };

const args = process.argv.slice(2);
const isCheck = args[0] === '--check';
if (args.includes('--help') || (args.length > 0 && !isCheck)) {
  console.log(`Usage: node scripts/third-party.mjs [--check [LOCK]]

Writes THIRD-PARTY.md: the npm packages of an installation of Gantry, from package-lock.json. With --check it
writes nothing, and exits with code 1 if the file is out of date or a licence is not allowed.`);
  process.exit(args.includes('--help') ? 0 : 1);
}

const file = join(root, 'THIRD-PARTY.md');
const lock = JSON.parse(readFileSync(args[1] ?? join(root, 'package-lock.json'), 'utf8')).packages;
const packages = runtimePackages(lock);
const refused = packages.filter(({ name, license }) => !isAllowed(name, license));
if (refused.length > 0)
  fail(refused.map(({ name, license }) => `${name} is licensed ${license}: not allowed.`).join('\n'));
if (!isCheck) writeFileSync(file, list(packages));
else if (readFileSync(file, 'utf8') !== list(packages))
  fail('THIRD-PARTY.md is not current: node scripts/third-party.mjs');
console.log(`${packages.length} packages, all under licences that are allowed.`);

/** Follows the dependencies of the workspace's packages, including those for other systems. */
function runtimePackages(packages) {
  const seen = new Set();
  const visit = (path) => {
    if (seen.has(path)) return;
    seen.add(path);
    const { link, resolved, dependencies, optionalDependencies } = packages[path];
    if (link) visit(resolved);
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) visit(locate(packages, path, name));
  };
  for (const path of Object.keys(packages)) if (path.startsWith('packages/')) visit(path);
  return [...seen]
    .filter((path) => path.includes('node_modules/') && !packages[path].link)
    .map((path) => ({
      name: path.replace(/^.*node_modules\//, ''),
      version: packages[path].version,
      license: packages[path].license ?? 'unknown',
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Resolves a dependency as Node does: from the importing folder upwards. */
function locate(packages, from, name) {
  const folders = from
    .split(/(?=\/node_modules\/)/)
    .map((_, index, parts) => parts.slice(0, parts.length - index).join(''));
  const places = [...folders.map((folder) => `${folder}/node_modules/${name}`), `node_modules/${name}`];
  const place = places.find((path) => path in packages);
  if (place === undefined) fail(`${from} asks for ${name}, which is not in the lock file.`);
  return place;
}

/** `A AND B` requires both; other expressions need a person's decision. */
function isAllowed(name, license) {
  return license.split(' AND ').every((part) => allowed.has(part) || allowedOf[part]?.test(name));
}

function list(packages) {
  return `# Third-party packages

An installation of Gantry's packages brings these along, at these versions or later ones that they
allow. \`node scripts/third-party.mjs\` writes this list from the lock file; \`npm test -- packages\` checks
that it is current and that each licence is an allowed one.

- \`@gantry/container\` has \`lit-html\` and \`idb-keyval\` within its scripts for browsers, too, and
  \`@gantry/dev\` these and \`lit\`; their tarballs carry the licences.
- libvips, in \`@img/sharp-*\`, is under the LGPL. Gantry does not contain it: npm installs it as a file of
  its own, unchanged, which \`sharp\` loads at run time and which can be replaced by another build.
- \`axe-core\` is under the MPL. Gantry does not contain it: npm installs it unchanged, and
  \`@gantry/testing\` runs it in the pages of a test.

| Package | Version | Licence |
|---|---|---|
${packages.map(({ name, version, license }) => `| ${name} | ${version} | ${license} |`).join('\n')}
`;
}
