// `npm test`: everything, from a fresh clone. Ends with the time of each part and `N passed, N failed`.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packing, printResult, runParts, runScript } from './parts.mjs';
import { fail, prepare, prepareBrowser, root, run, sourceEnv } from './prepare.mjs';

const parts = {
  types: { title: 'Types', run: () => exitCode([bin('typescript/bin/tsc'), '-b', '--force']) },
  lint: { title: 'Lint', run: () => exitCode([bin('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings']) },
  unit: { title: 'Unit tests, on SQLite and PostgreSQL', run: unitTests, needsBrowser: true },
  e2e: { title: 'Browser tests', run: browserTests, needsBrowser: true },
  packages: { title: 'Packages', run: () => script('scripts/packages.mjs'), needsBrowser: true, isPacked: true },
  examples: {
    title: 'Examples: express, proxy',
    run: () => script('scripts/examples.mjs', 'express', 'proxy'),
    needsBrowser: true,
    isPacked: true,
  },
  authors: { title: 'Authors', run: () => script('scripts/authors.mjs'), needsBrowser: true, isPacked: true },
};

const wanted = process.argv.slice(2);
if (wanted.includes('--help') || wanted.some((name) => !(name in parts))) {
  console.log(`Usage: npm test [-- PART …]

Runs the parts named, or all: ${Object.keys(parts).join(', ')}.
Installs what is missing, a browser too. Unit tests run on SQLite and on a PostgreSQL of their own, which comes
with the packages; a run that cannot start it fails and says why.

Ends with the seconds of each part.

  npm test
  npm test -- types lint
  npm test -- unit`);
  process.exit(wanted.includes('--help') ? 0 : 1);
}

const startedAtMs = performance.now();
const node = prepare();
const chosen = Object.keys(parts).filter((name) => wanted.length === 0 || wanted.includes(name));
const needsBrowser = chosen.some((name) => parts[name].needsBrowser); // unit tests of headers use it too
const browser = needsBrowser ? prepareBrowser(node) : undefined;
if (needsBrowser && !browser) fail('\n0 passed, 1 failed'); // what is missing stands above
const scratch = mkdtempSync(join(tmpdir(), 'gantry-test-'));
const preparation = { title: 'Preparation', passed: 0, failed: 0, seconds: (performance.now() - startedAtMs) / 1_000 };
const tarballs = process.env.GANTRY_TARBALLS ?? join(scratch, 'tarballs');
const queue = chosen.map((name) => parts[name]);
const firstPacked = queue.findIndex(({ isPacked }) => isPacked);
if (firstPacked !== -1 && !process.env.GANTRY_TARBALLS) queue.splice(firstPacked, 0, packing(node, tarballs));
const rows = [preparation, ...(await runParts(queue))];
rmSync(scratch, { recursive: true, force: true });
process.exit(printResult(rows));

// A part that others can run by itself as well.
function script(...args) {
  return runScript(node, args, { env: testEnv({ GANTRY_TARBALLS: tarballs }) });
}

/** Whatever tests leave in the folder for temporary files goes with the scratch folder. */
function testEnv(extra = {}) {
  const compiled = join(scratch, 'compiled'); // hundreds of processes load the same modules, at half the cost from here
  const temporary = { TMPDIR: scratch, TMP: scratch, TEMP: scratch, NODE_COMPILE_CACHE: compiled };
  return sourceEnv({ GANTRY_CHROMIUM: browser, ...temporary, ...extra });
}

function bin(path) {
  return join(root, 'node_modules', path);
}

function exitCode(args) {
  return run(node, args) === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

function unitTests() {
  const report = join(scratch, 'unit.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const code = run(node, [bin('vitest/vitest.mjs'), 'run', ...reporters], {
    env: testEnv(),
  });
  return counted(code, report, (json) => ({
    passed: json.numPassedTests,
    failed: json.numFailedTests + json.numPendingTests + json.numTodoTests + emptySuites(json),
  }));
}

// A file that does not load has no tests to fail.
function emptySuites(json) {
  return json.testResults.filter((suite) => suite.status === 'failed' && suite.assertionResults.length === 0).length;
}

function browserTests() {
  const report = join(scratch, 'e2e.json');
  const env = testEnv({ PLAYWRIGHT_JSON_OUTPUT_NAME: report });
  const code = run(node, [bin('@playwright/test/cli.js'), 'test', '--reporter=list,json'], { env });
  return counted(code, report, ({ stats }) => ({
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + stats.skipped, // a skipped test is one that did not run
  }));
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
