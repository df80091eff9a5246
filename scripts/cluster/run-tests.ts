import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** Runs the tests of files, or those with a text in their names. Resolves with their numbers. */
export async function runTests({
  files,
  named,
  env,
}: {
  readonly files: readonly string[];
  readonly named: string;
  readonly env: NodeJS.ProcessEnv;
}): Promise<{ readonly passed: number; readonly failures: readonly string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-cluster-tests-'));
  const report = join(folder, 'report.json');
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const args = [
    'run',
    ...files,
    '-t',
    named,
    '--no-file-parallelism',
    '--testTimeout=300000',
    '--reporter=json',
    `--outputFile=${report}`,
  ];
  const child = spawn(process.execPath, [vitest, ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await once(child, 'exit');
  try {
    const { numPassedTests, testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report;
    const failed = testResults
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ status }) => status === 'failed');
    const failures = failed.map(({ title, failureMessages }) => `${title}: ${failureMessages[0]?.split('\n')[0]}`);
    return { passed: numPassedTests, failures };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface Report {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly assertionResults: readonly {
      readonly title: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}
