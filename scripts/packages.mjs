// Part "packages" of `npm test`: tests the tarballs outside of the repository.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, prepare, root, run } from './prepare.mjs';
import { findBrowser, findTarballs, plainEnv, scratchFolder } from './stranger.mjs';

const args = process.argv.slice(2);
if (args.includes('--help')) {
  console.log(`Usage: node scripts/packages.mjs [PLAYWRIGHT OPTION …]

Packs the packages, installs the tarballs in an empty folder outside of the repository, and tests them there: their
files, publint and attw, types with TypeScript 7 and 5.9, imports in Node 24 and 22, the command, the README's site, and
builds with Vite in a browser. Installs its own tools into tools/packages. GANTRY_TARBALLS names a
folder of tarballs made before by npm run pack.

  node scripts/packages.mjs
  node scripts/packages.mjs -g publint
  npm test -- packages`);
  process.exit(0);
}

const node = prepare();
const env = plainEnv(node);
const tools = join(root, 'tools/packages');
const browser = findBrowser(node);
installTools();

const scratch = scratchFolder('gantry-packages-');
const tarballs = findTarballs(node, scratch);
const site = installSite();

const report = join(scratch, 'report.json');
const test = ['test', '--config', join(tools, 'playwright.config.ts'), '--reporter=list,json', ...args];
const code = run(node, [join(root, 'node_modules/@playwright/test/cli.js'), ...test], {
  env: {
    ...env,
    GANTRY_CHROMIUM: browser,
    GANTRY_SITE: site,
    GANTRY_TARBALLS: tarballs,
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
  },
});
const { expected: passed, unexpected, flaky, skipped } = JSON.parse(readFileSync(report, 'utf8')).stats;
const failed = unexpected + flaky + skipped || (code === 0 && passed > 0 ? 0 : 1);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

function installTools() {
  const lock = readFileSync(join(tools, 'package-lock.json'));
  const mark = join(tools, 'node_modules/.gantry-lock');
  const digest = createHash('sha256').update(lock).digest('hex');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === digest) return;
  console.error('Installing tools/packages (once, about ten seconds) …');
  npm(['ci'], tools);
  writeFileSync(mark, digest);
}

/** Installs the tarballs as a user would, with other packages in the versions of the lock file. */
function installSite() {
  const site = join(scratch, 'site');
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const locked = (name) => packages[`node_modules/${name}`].version;
  const ofOne = /^node_modules\/(?!.*\/node_modules\/)/;
  const nested = new Set(
    Object.keys(packages).map((path) => !ofOne.test(path) && path.replace(/^.*node_modules\//, '')),
  );
  const overrides = Object.fromEntries(
    Object.entries(packages)
      .filter(([path, { dev, link }]) => ofOne.test(path) && !dev && !link)
      .map(([path, { version }]) => [path.slice('node_modules/'.length), version])
      .filter(([name]) => !nested.has(name)), // in several versions
  );
  mkdirSync(site);
  writeFileSync(join(site, 'package.json'), JSON.stringify({ private: true, type: 'commonjs', overrides }));
  const others = ['@types/node', '@playwright/test', 'react', '@types/react'].map((name) => `${name}@${locked(name)}`);
  npm(['install', ...readdirSync(tarballs).map((file) => join(tarballs, file)), ...others], site);
  return site;
}

function npm(command, cwd) {
  const flags = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
  if (run('npm', [...command, ...flags], { cwd, env }) !== 0) fail('npm could not install: see the lines above.');
}
