// `npm run examples`: runs each example as a new user would, copied out of the repository,
// installed from tarballs, in a browser.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import { fail, prepare, root, run, sourceEnv } from './prepare.mjs';

const examples = readdirSync(join(root, 'examples')).filter((name) =>
  existsSync(join(root, 'examples', name, 'start.ts')),
);
const args = process.argv.slice(2);
const isLocking = args.includes('--lock');
const chosen = args.filter((arg) => arg !== '--lock');
if (chosen.some((name) => !examples.includes(name))) {
  console.log(`Usage: npm run examples [-- [--lock] NAME …]

Packs Gantry, copies each example named, or all, out of the repository, installs it there from the tarballs, and runs
its scenario in a browser. Ends with "N passed, N failed".

  NAME      ${examples.join(', ')}
  --lock    Writes the lock files of the examples anew instead: after a change to a package.json

GANTRY_TARBALLS names a folder of tarballs made before by npm run pack.

  npm run examples
  npm run examples -- express proxy
  npm run examples -- --lock express`);
  process.exit(args.includes('--help') ? 0 : 1);
}

const node = prepare();
const names = chosen.length > 0 ? chosen : examples;
const scratch = mkdtempSync(join(tmpdir(), 'gantry-examples-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1));
const env = plainEnv();
const tarballs = process.env.GANTRY_TARBALLS ? resolve(process.env.GANTRY_TARBALLS) : packed();

if (isLocking) {
  for (const name of names) step(`Locking ${name}`, () => lock(name));
  process.exit(0);
}

let passed = 0;
let failed = 0;
const ready = names.filter((name) => step(`Installing ${name}`, () => install(name)));
failed += names.length - ready.length;
if (ready.length > 0) {
  const result = runScenarios(ready);
  passed += result.passed;
  failed += result.failed;
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);

/** Returns the environment of a new user: no source condition, and this Node first on the path. */
function plainEnv() {
  const { NODE_OPTIONS: _, ...rest } = process.env;
  return { ...rest, PATH: `${dirname(node)}${delimiter}${rest.PATH ?? ''}`, npm_config_update_notifier: 'false' };
}

function packed() {
  const folder = join(scratch, 'tarballs');
  if (run(node, ['scripts/pack.mjs', folder]) !== 0) fail('\n0 passed, 1 failed');
  return folder;
}

/** Runs one step, prints its title and time, and returns whether it succeeded. */
function step(title, work) {
  process.stdout.write(`${title} … `);
  const startedAtMs = performance.now();
  try {
    work();
    console.log(`${((performance.now() - startedAtMs) / 1000).toFixed(1)} s`);
    return true;
  } catch (error) {
    console.log(`failed\n${error.message}`);
    return false;
  }
}

/** Copies an example, with the tarballs in the folder that its lock file names. */
function copy(name) {
  const folder = join(scratch, 'copies', name);
  const isOurs = (path) => basename(path) === 'start.ts' || path.endsWith('.spec.ts');
  const isInstalled = (path) => ['node_modules', 'data'].includes(basename(path));
  const filter = (path) => !isOurs(path) && !isInstalled(path);
  cpSync(join(root, 'examples', name), folder, { recursive: true, filter });
  cpSync(tarballs, join(folder, 'tarballs'), { recursive: true });
  return folder;
}

function install(name) {
  const folder = copy(name);
  if (existsSync(join(folder, 'package.json'))) {
    npm(['ci', '--loglevel=error', '--no-audit', '--no-fund'], folder);
    const { status } = spawnSync('npm', ['ls', '--all', '--silent'], { cwd: folder, env, stdio: 'ignore' });
    if (status !== 0) throw new Error(`The lock file of ${name} is out of date: npm run examples -- --lock ${name}`);
  }
  const start = JSON.stringify(join(root, 'examples', name, 'start.ts'));
  const options = JSON.stringify({ folder, tarballs });
  const code = `const { prepare } = await import(${start}); await prepare?.({ ...${options}, env: process.env });`;
  const { status, stderr } = spawnSync(node, ['--input-type=module', '--eval', code], { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr.trim());
}

/**
 * Locks npm packages by their integrity. Gantry's own are locked to `file:tarballs/…` without one,
 * since each build packs other bytes. The package.json keeps its versions, as from a registry.
 */
function lock(name) {
  const folder = copy(name);
  const file = join(folder, 'package.json');
  const manifest = readFileSync(file, 'utf8');
  const files = readdirSync(tarballs).map((tarball) => `./tarballs/${tarball}`);
  const { dependencies } = JSON.parse(manifest);
  const others = Object.fromEntries(
    Object.entries(dependencies).filter(([other]) => !/^(@gantry\/|create-gantry$)/.test(other)),
  );
  writeFileSync(file, JSON.stringify({ ...JSON.parse(manifest), dependencies: others }));
  rmSync(join(folder, 'package-lock.json'), { force: true });
  npm(['install', '--package-lock-only', '--loglevel=error', '--no-audit', '--no-fund', ...files], folder);
  const made = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
  made.packages[''].dependencies = dependencies;
  for (const [path, entry] of Object.entries(made.packages)) {
    if (/^node_modules\/(@gantry\/|create-gantry$)/.test(path)) delete entry.integrity;
  }
  writeFileSync(join(root, 'examples', name, 'package-lock.json'), `${JSON.stringify(made, undefined, 2)}\n`);
}

function npm(command, cwd) {
  const { status, stdout, stderr } = spawnSync('npm', command, { cwd, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm ${command[0]} failed:\n${stdout}${stderr}`);
}

function runScenarios(ready) {
  const browser = spawnSync(node, ['scripts/browser.mjs'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (browser.status !== 0) return { passed: 0, failed: 1 };
  const report = join(scratch, 'report.json');
  mkdirSync(join(scratch, 'tmp'));
  const all = {
    ...env,
    NODE_OPTIONS: sourceEnv().NODE_OPTIONS,
    GANTRY_CHROMIUM: browser.stdout.trim(),
    GANTRY_EXAMPLES: join(scratch, 'copies'),
    GANTRY_TARBALLS: tarballs,
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
    TMPDIR: join(scratch, 'tmp'),
  };
  const files = ready.map((name) => `examples/${name}/`);
  const flags = ['test', '--config=examples/playwright.config.ts', '--reporter=list,json', ...files];
  const code = run(node, [join(root, 'node_modules/@playwright/test/cli.js'), ...flags], { env: all });
  try {
    const { stats } = JSON.parse(readFileSync(report, 'utf8'));
    const bad = stats.unexpected + stats.flaky + stats.skipped; // a skipped test did not run
    return { passed: stats.expected, failed: code !== 0 && bad === 0 ? 1 : bad };
  } catch (error) {
    console.error(`No report was written: ${error.message}`);
    return { passed: 0, failed: 1 };
  }
}
