import type { TestInfo } from '@playwright/test';
import { attachFailure } from './failure/attach-failure.ts';
import type { OwnedGadget } from './gadget.ts';

/**
 * Ends a gadget whose test is over: checks the replay that the test did not ask about, and shows a
 * failure.
 *
 * @param suffix Tells several gadgets of one test apart: `-2`.
 * @returns Error of the replay that did not go as its tape.
 */
export async function endGadget(owned: OwnedGadget, suffix: string, testInfo: TestInfo): Promise<Error | undefined> {
  const problem = await owned.replays.end().then(
    () => undefined,
    (error: Error) => error,
  );
  const isFailed = problem !== undefined || testInfo.status !== testInfo.expectedStatus;
  if (isFailed && testInfo.status !== 'skipped') await attachFailure(owned, suffix, testInfo);
  owned.close();
  return problem;
}
