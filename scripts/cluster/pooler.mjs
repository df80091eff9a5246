import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram, vitestFailures } from '../parts.mjs';
import { root, sourceEnv } from '../prepare.mjs';

/** Tests that set something for a session, or take a database alone. */
const direct = [
  'store/test/postgres-direct',
  'store/test/postgres-wakes',
  'store/test/exclusive',
  'service/test/store/plans',
];

/** Runs the tests of the databases in each mode of PgBouncer. Resolves with the exit code. */
export async function runPooler(node, { isShort }) {
  const packages = isShort ? ['store'] : ['store', 'service', 'proxy'];
  const files = packages
    .flatMap((name) => filesBelow(join(root, 'packages', name, 'test')))
    .filter((file) => usesDatabase(file) && !direct.some((name) => file.includes(name)));
  const scratch = mkdtempSync(join(tmpdir(), 'gantry-cluster-'));
  process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
  const sum = { passed: 0, failed: 0 };
  const failures = [];
  for (const mode of ['transaction', 'session', 'transaction ignoring']) {
    console.log(`\nPgBouncer, ${mode}`);
    const report = join(scratch, `${mode}.json`);
    const args = ['run', ...files];
    const { code } = await runProgram(
      node,
      [
        join(root, 'node_modules/vitest/vitest.mjs'),
        ...args,
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${report}`,
      ],
      { env: sourceEnv({ GANTRY_TEST_POOLER: mode }) },
    );
    const results = JSON.parse(readFileSync(report, 'utf8'));
    const { numPassedTests: passed, numTotalTests: all } = results;
    sum.passed += passed;
    failures.push(...vitestFailures(results).map((failure) => `✘ PgBouncer, ${mode}: ${failure}`));
    sum.failed += Math.max(all - passed, code === 0 ? 0 : 1);
  }
  if (failures.length > 0) console.log(`\n${failures.join('\n\n')}`);
  console.log(`\n${sum.passed} passed, ${sum.failed} failed`);
  return sum.failed === 0 && sum.passed > 0 ? 0 : 1;
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => /\.test\.ts$|\.pooler\.ts$/.test(name))
    .map((name) => join(folder, name));
}

/** Returns whether a file of tests opens PostgreSQL: others say nothing of a pooler. */
function usesDatabase(file) {
  return /createSchema|openEmptyPostgres|\bdatabases\b/.test(readFileSync(file, 'utf8'));
}
