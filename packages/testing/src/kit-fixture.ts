import type { WorkerInfo } from '@playwright/test';
import { beginRun } from './end-run.ts';
import { type Kit, openKit } from './kit.ts';

/** The kit of a worker, or the error with which its first test ends the run. */
export type KitOrProblem = { readonly kit: Kit } | { readonly problem: string };

export async function kitFixture(
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures that are used from this pattern
  {}: object,
  use: (kit: KitOrProblem) => Promise<void>,
  workerInfo: WorkerInfo,
): Promise<void> {
  await beginRun(workerInfo);
  const opened = await openKit(workerInfo).then(
    (kit) => ({ kit }),
    (error: Error) => ({ problem: error.message }),
  );
  await use(opened);
  if ('kit' in opened) await opened.kit.close();
}
