// `npm test`: everything, from a fresh clone. Ends with the time of each part and `N passed, N
// failed`.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listTree, newPaths } from './leftovers.mjs';
import { failure, printResult, runParts, runProgram, runScript, vitestFailures } from './parts.mjs';
import { fail, prepare, prepareBrowser, root, sourceEnv } from './prepare.mjs';

// Each part by the processors that it keeps busy, the longest first (ADR 70).
const types = { title: 'Types', run: runTypes, weight: 2 };
const parts = {
  types,
  e2e: { title: 'Browser tests', run: browserTests, weight: 2, needsBrowser: true, needsTypes: true },
  unit: {
    title: 'Unit tests, on SQLite and PostgreSQL',
    run: unitTests,
    ...{ weight: 1.5, needsBrowser: true, needsTypes: true },
  },
  packages: packed('Packages', 'scripts/packages.mjs'),
  examples: packed('Examples: express, proxy', 'scripts/examples.mjs', 'express', 'proxy'),
  authors: packed('Authors', 'scripts/authors.mjs'),
  testers: packed('Testers', 'scripts/testers.mjs'),
  debian: {
    ...packed('Examples: php, python, deployment', 'scripts/examples.mjs', 'php', 'python', 'deployment'),
    isExtra: true,
  },
  pooler: { title: 'PostgreSQL through a pooler', run: pooler, weight: 1.5, isExtra: true },
  browsers: { title: 'Three browsers', run: browsers, weight: 1.5, needsBrowser: true, isExtra: true },
  lint: { title: 'Lint', run: lint, weight: 0.6 },
};
const usual = Object.keys(parts).filter((name) => !parts[name].isExtra);

const args = process.argv.slice(2).flatMap((name) => (name === 'all' ? usual : name));
if (args.includes('--help') || args.some((name) => !(name in parts))) {
  console.log(`Usage: npm test [-- PART …]

Runs the parts named, or all: ${usual.join(', ')}.
CI runs three more, debian, pooler and browsers, which need programs of Debian.
Installs missing packages and a browser. Unit tests run on SQLite and on a PostgreSQL from the npm packages; if it
cannot start, the run fails and prints the reason.

Ends with the seconds of each part, and on Linux those of the processor.

  npm test
  npm test -- types lint
  npm test -- unit`);
  process.exit(args.includes('--help') ? 0 : 1);
}

const startedAtMs = performance.now();
const before = listTree(root);
const node = prepare();
const chosen = Object.keys(parts).filter((name) => (args.length === 0 ? usual : args).includes(name));
const needsBrowser = chosen.some((name) => parts[name].needsBrowser); // unit tests of headers use it too
const browser = needsBrowser ? prepareBrowser(node) : undefined;
if (needsBrowser && !browser) fail('\n0 passed, 1 failed'); // the reason is printed above
const shell = needsBrowser ? await findShell() : undefined;
// Examples and apps with packages load type builds. Type errors are reported by their own part.
if (!chosen.includes('types') && chosen.some((name) => parts[name].needsTypes)) {
  await runProgram(node, [bin('typescript/bin/tsc'), '-b']);
}
const scratch = mkdtempSync(join(tmpdir(), 'gantry-test-'));
const preparation = { title: 'Preparation', passed: 0, failed: 0, seconds: (performance.now() - startedAtMs) / 1_000 };
const tarballs = process.env.GANTRY_TARBALLS ?? join(scratch, 'tarballs');
const queue = chosen.map((name) => parts[name]);
const installing = queue.filter(({ isPacked }) => isPacked);
if (installing.length > 0 && !process.env.GANTRY_TARBALLS) {
  const packing = { title: 'Packing', run: pack, weight: 0.6 };
  queue.splice(queue.indexOf(installing[0]), 0, packing);
  for (const part of installing) part.after = [packing];
}
if (chosen.includes('types')) for (const part of queue) if (part.needsTypes) part.after = [types];
const rows = [preparation, ...(await runParts(queue))];
rmSync(scratch, { recursive: true, force: true });
const left = newPaths(root, before);
for (const path of left) console.error(`\nThe tests left ${path}: each removes what it makes, or makes it in TMPDIR.`);
rows.push({ title: 'Left in the clone', passed: left.length === 0 ? 1 : 0, failed: left.length, seconds: 0 });
process.exit(printResult(rows, (performance.now() - startedAtMs) / 1_000));

/** Returns the headless shell, or the whole browser where there is none (ADR 68). */
async function findShell() {
  const { end } = await runProgram(node, ['scripts/headless-shell.mjs'], { reads: true });
  return end.trim() || browser;
}

/**
 * Defines a part that also runs by itself and installs tarballs. The examples find their own
 * browser.
 */
function packed(title, ...args) {
  const run = (job) =>
    runScript(node, args, { env: testEnv({ GANTRY_CHROMIUM: shell, GANTRY_TARBALLS: tarballs }), ...job });
  return { title, run, weight: 0.6, needsBrowser: true, isPacked: true };
}

/** Packs once for all parts that install tarballs. They find them in `GANTRY_TARBALLS`. */
async function pack(job) {
  const { code } = await runProgram(node, ['scripts/pack.mjs', tarballs], job);
  return { passed: 0, failed: code === 0 ? 0 : 1 };
}

/** Environment of tests. Their temporary files are removed with the scratch folder. */
function testEnv(extra = {}) {
  const compiled = join(scratch, 'compiled'); // halves module loading in hundreds of processes
  const temporary = { TMPDIR: scratch, TMP: scratch, TEMP: scratch, NODE_COMPILE_CACHE: compiled };
  return sourceEnv({ GANTRY_CHROMIUM: browser, ...temporary, ...extra });
}

function bin(path) {
  return join(root, 'node_modules', path);
}

async function exitCode(args, job) {
  const { code } = await runProgram(node, args, job);
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

function runTypes(job) {
  return exitCode([bin('typescript/bin/tsc'), '-b', '--force'], job);
}

async function lint(job) {
  const results = [];
  for (const args of [
    [bin('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings'],
    ['scripts/prose.ts'],
    ['scripts/expressions.ts'],
    ['scripts/rooms.ts'],
  ]) {
    results.push(await exitCode(args, job));
  }
  const sum = (name) => results.reduce((total, one) => total + one[name], 0);
  return { passed: sum('passed'), failed: sum('failed') };
}

function pooler(job) {
  return runScript(node, ['scripts/cluster.mjs', 'pooler', '--short'], { env: testEnv(), ...job });
}

function browsers(job) {
  return runScript(node, ['scripts/browsers.mjs', '--short'], { env: testEnv(), ...job });
}

async function unitTests(job) {
  const report = join(scratch, 'unit.json');
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const { code } = await runProgram(node, [bin('vitest/vitest.mjs'), ...args], { env: testEnv(), ...job });
  return counted(code, report, (json) => ({
    passed: json.numPassedTests,
    failed: json.numFailedTests + json.numPendingTests + json.numTodoTests + emptySuites(json),
    failures: vitestFailures(json),
  }));
}

// A file that does not load reports no tests.
function emptySuites(json) {
  return json.testResults.filter((suite) => suite.status === 'failed' && suite.assertionResults.length === 0).length;
}

async function browserTests(job) {
  const report = join(scratch, 'e2e.json');
  const env = testEnv({ PLAYWRIGHT_JSON_OUTPUT_NAME: report, GANTRY_HEADLESS_SHELL: shell });
  const args = [bin('@playwright/test/cli.js'), 'test', '--reporter=list,json'];
  const { code } = await runProgram(node, args, { env, ...job });
  return counted(code, report, ({ stats, suites }) => ({
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + stats.skipped, // a skipped test did not run
    failures: specsOf(suites)
      .flatMap((spec) => spec.tests.map((test) => ({ ...spec, ...test })))
      .filter(({ status }) => status !== 'expected')
      .map(({ file, line, title, status, results }) =>
        failure(`e2e/${file}:${line}`, title, results[0]?.error?.message ?? status),
      ),
  }));
}

function specsOf(suites = []) {
  return suites.flatMap((suite) => [...suite.specs, ...specsOf(suite.suites)]);
}

function counted(code, file, count) {
  try {
    const result = count(JSON.parse(readFileSync(file, 'utf8')));
    return code !== 0 && result.failed === 0 ? { ...result, failed: 1 } : result;
  } catch (error) {
    console.error(`No report was written: ${error.message}`);
    return { passed: 0, failed: 1 };
  }
}
