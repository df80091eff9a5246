// Part "packages" of `npm test`: tests the tarballs outside of the repository.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installTools, npm } from './install-tools.mjs';
import { prepare, root, run } from './prepare.mjs';
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
const browser = findBrowser(node);
const tools = installTools('packages', { env });

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
  npm(['install', ...readdirSync(tarballs).map((file) => join(tarballs, file)), ...others], { cwd: site, env });
  return site;
}
