import { createHash } from 'node:crypto';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestInfo } from '@playwright/test';
import { test } from '@playwright/test';

/**
 * Ends a run that cannot start: the first test fails with the reason, and the others are skipped
 * with it. Playwright cannot end a run from a worker, and two hundred equal failures hide it.
 *
 * @param reason One sentence, and the cure.
 */
export async function endRun(reason: string, testInfo: TestInfo): Promise<never> {
  // Retries must fail too: a skipped retry would make the test flaky, and the run pass.
  if (testInfo.retry > 0 || (await isFirst(reason, testInfo))) {
    if (typeof test.abort === 'function') test.abort(reason);
    throw new Error(reason);
  }
  testInfo.skip(true, `The run could not start: ${reason}`);
  throw new Error('A skipped test went on.');
}

/**
 * Removes markers of an earlier run with the same process id. Each run starts with worker 0, before
 * any other worker writes a marker: younger ones belong to this run.
 */
export async function beginRun(testInfo: Pick<TestInfo, 'workerIndex' | 'project'>): Promise<void> {
  if (testInfo.workerIndex !== 0) return;
  const { outputDir } = testInfo.project;
  const names = await readdir(outputDir).catch(() => []);
  for (const name of names.filter((one) => one.startsWith(prefix()))) {
    const marker = join(outputDir, name);
    const file = await stat(marker).catch(() => undefined);
    if (file && file.mtimeMs < performance.timeOrigin) await rm(marker, { force: true });
  }
}

/** Returns whether no other test of this run has failed with a reason yet. */
async function isFirst(reason: string, { project: { outputDir } }: TestInfo): Promise<boolean> {
  const marker = join(outputDir, prefix() + createHash('sha256').update(reason).digest('hex').slice(0, 16));
  await mkdir(outputDir, { recursive: true });
  return writeFile(marker, '', { flag: 'wx', mode: 0o600 }).then(
    () => true,
    () => false,
  );
}

/** Playwright empties the folder of its output when a run begins. */
function prefix(): string {
  return `.gantry-run-${process.ppid}-`;
}
