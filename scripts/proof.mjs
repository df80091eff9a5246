// `npm run proof`: runs two hundred gadget tests twenty times to find flaky ones.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fail, prepare, prepareBrowser, root, run, sourceEnv } from './prepare.mjs';

const usage = `Usage: npm run proof [-- --rounds N] [--workers N] [--busy]

Runs the tests in e2e/proof, 200 of them, in parallel workers and ROUNDS times (default: 20), without a retry. Prints each test
that failed in any round, and ends with "N passed, N failed".

  --rounds N   how often each test runs (default: 20)
  --workers N  tests at the same time (default: one more than this machine has cores)
  --busy       keeps every core busy meanwhile

  npm run proof
  npm run proof -- --rounds 5 --busy`;

const options = readOptions();
if (options.help) {
  console.log(usage);
  process.exit(0);
}
const rounds = count('rounds', 20);
const workers = count('workers', availableParallelism() + 1);

const node = prepare();
if (run(node, [join(root, 'scripts/build.mjs')]) !== 0) fail('The scripts for browsers could not be built.');
const browser = prepareBrowser(node) ?? fail('\n0 passed, 1 failed');
const scratch = mkdtempSync(join(tmpdir(), 'gantry-proof-'));
const report = join(scratch, 'report.json');
const startedAtMs = performance.now();
const burners = options.busy ? Array.from({ length: availableParallelism() }, burn) : [];
run(
  node,
  [
    join(root, 'node_modules/@playwright/test/cli.js'),
    ...['test', '--config', join(root, 'e2e/proof/playwright.config.ts')],
    ...['--repeat-each', String(rounds), '--workers', String(workers), '--reporter=dot,json'],
  ],
  {
    env: sourceEnv({
      GANTRY_CHROMIUM: browser,
      PLAYWRIGHT_JSON_OUTPUT_NAME: report,
      ...{ TMPDIR: scratch, TMP: scratch, TEMP: scratch },
    }),
  },
);
for (const burner of burners) burner.kill();

const { stats } = JSON.parse(readFileSync(report, 'utf8'));
rmSync(scratch, { recursive: true, force: true });
const { expected: passed, unexpected, flaky, skipped } = stats;
const failed = unexpected + flaky + skipped || (passed > 0 ? 0 : 1);
const seconds = Math.round((performance.now() - startedAtMs) / 1_000);
console.log(
  `\n${passed / rounds} tests, ${rounds} rounds, ${workers} workers${options.busy ? ', busy' : ''}: ${seconds} s`,
);
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

/** Keeps a core busy. */
function burn() {
  return spawn(node, ['-e', 'for (;;);'], { stdio: 'ignore' });
}

function readOptions() {
  const text = { type: 'string' };
  const flag = { type: 'boolean' };
  try {
    return parseArgs({ options: { rounds: text, workers: text, busy: flag, help: flag } }).values;
  } catch (error) {
    return fail(`${error.message}\n\n${usage}`);
  }
}

function count(name, usual) {
  const text = options[name];
  if (text === undefined) return usual;
  const number = Number(text);
  return Number.isInteger(number) && number > 0 ? number : fail(`--${name} must be a number from 1 on.`);
}
