// Builds packages in a copy and prepares them for publishing.
import { cpSync, globSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from './prepare.mjs';

/** Bundled third-party packages: their licences must go with the scripts for browsers. */
const bundledIn = {
  container: ['idb-keyval', 'lit-html'],
  dev: ['@lit/reactive-element', 'idb-keyval', 'lit', 'lit-element', 'lit-html'],
  testing: ['idb-keyval', 'lit-html'],
};

/** Names of the folders in `packages`, one for each package. */
export function packageNames() {
  return readdirSync(join(root, 'packages')).sort();
}

/**
 * Returns the published name of a package's folder: `@gantry/wire`, or `create-gantry` for `npm
 * create`.
 */
export function publishedName(name) {
  return JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8')).name;
}

/**
 * Builds all packages in `staging` from their sources only, so that no stale file remains. Returns
 * whether that succeeded.
 */
export function buildStaging(node, staging) {
  for (const path of ['tsconfig.base.json', 'package.json', 'scripts']) {
    cpSync(join(root, path), join(staging, path), { recursive: true });
  }
  const isSource = (path) => !/[\\/]packages[\\/][^\\/]+[\\/](dist|test)$/.test(path);
  cpSync(join(root, 'packages'), join(staging, 'packages'), { recursive: true, filter: isSource });
  linkModules(staging);
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const configurations = globSync('packages/{*,*/*}/tsconfig.json', { cwd: staging }).map((path) =>
    join(staging, path),
  );
  // The other packages are bundled by Vite; TypeScript only checks them.
  const projects = configurations.filter((path) => !readFileSync(path, 'utf8').includes('emitDeclarationOnly'));
  const build = [
    'osapi',
    'container',
    'server/src/self-test/browser',
    'lab/agent',
    'testing/page',
    'testing/tap',
    'dev/page',
    'dev/agent',
  ].map((name) => `packages/${name}`);
  return (
    run(node, [tsc, '-b', ...projects], { cwd: staging }) === 0 &&
    run(node, ['scripts/build.mjs', ...build], { cwd: staging }) === 0
  );
}

/** Links the checkout's installed packages, and the workspace's packages to their copies. */
function linkModules(staging) {
  const installed = join(root, 'node_modules');
  const modules = join(staging, 'node_modules');
  mkdirSync(join(modules, '@gantry'), { recursive: true });
  const ours = new Set(['@gantry', ...packageNames().map(publishedName)]);
  for (const name of readdirSync(installed)) {
    if (!ours.has(name) && !name.startsWith('.')) link(join(installed, name), join(modules, name));
  }
  for (const name of packageNames()) link(join(staging, 'packages', name), join(modules, publishedName(name)));
}

function link(from, to) {
  symlinkSync(from, to, 'junction'); // needs no privilege on Windows
}

/** Keeps only published files in the staging folder of a package, and returns the folder. */
export function publishStaging(staging, name) {
  const folder = join(staging, 'published', name);
  const from = join(staging, 'packages', name);
  const source = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'));
  const workspace = JSON.parse(readFileSync(join(staging, 'package.json'), 'utf8'));
  mkdirSync(folder, { recursive: true });
  for (const path of source.files) {
    cpSync(join(from, path), join(folder, path), { recursive: true, filter: (file) => !file.endsWith('.tsbuildinfo') });
  }
  for (const file of readdirSync(folder, { recursive: true }))
    if (file.endsWith('.d.ts')) nameBuiltFiles(join(folder, file));
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  const bundled = bundledIn[name];
  if (bundled) writeFileSync(join(folder, 'THIRD-PARTY.md'), licencesOf(bundled));
  const files = readdirSync(folder);
  const manifest = publishedManifest(source, { ...workspace, name, files });
  const readme = readFileSync(join(from, 'README.md'), 'utf8');
  writeFileSync(join(folder, 'README.md'), withAbsoluteLinks(readme, manifest));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  return folder;
}

/** Rewrites `./x.ts` in declarations: TypeScript resolves it, other tools do not. */
function nameBuiltFiles(file) {
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace(/((?:\bfrom |\bimport\(?) ?['"]\.{1,2}\/[^'"\n]+)\.ts(?=['"])/g, '$1.js'));
}

function licencesOf(packages) {
  const texts = packages.map((name) => {
    const folder = join(root, 'node_modules', name);
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    return `## ${name}\n\n\`\`\`\n${readFileSync(join(folder, file), 'utf8').trim()}\n\`\`\`\n`;
  });
  return ['# Packages within the scripts for browsers\n', ...texts].join('\n');
}

/**
 * Returns the manifest without references to sources and bundled packages, which are not published,
 * and with the repository's address.
 */
function publishedManifest(
  { private: _, devDependencies: __, ...manifest },
  { name, files, homepage, bugs, repository },
) {
  const isSource = (key, value) =>
    key === '@gantry/source' || (typeof value === 'string' && value.startsWith('./src/'));
  const { sideEffects } = manifest;
  return {
    ...JSON.parse(JSON.stringify(manifest, (key, value) => (isSource(key, value) ? undefined : value))),
    ...(Array.isArray(sideEffects) && { sideEffects: sideEffects.filter((path) => !isSource('', path)) }),
    files,
    homepage,
    bugs,
    repository: { ...repository, directory: `packages/${name}` },
    publishConfig: { access: 'public' }, // a scoped package is private otherwise
  };
}

/** Points links to other repository files at the repository's pages for the release. */
function withAbsoluteLinks(readme, { version, repository }) {
  const pages = `${repository.url.replace(/^git\+|\.git$/g, '')}/blob/v${version}/`;
  return readme.replaceAll('](../../', `](${pages}`);
}
