import type { TestInfo } from '@playwright/test';

const cutOff = 'Test ended.';
const cause = 'The test ended before this. Write await before it.';

/**
 * Names the cause of waits that the closed browser cut off: the test did not await them. If
 * another error ended the test, they say nothing and are removed.
 */
export async function nameForgottenAwait({ errors, status }: Pick<TestInfo, 'errors' | 'status'>): Promise<void> {
  await new Promise(setImmediate); // Playwright hears of an unhandled rejection after this turn
  if (status === 'interrupted') return;
  const isCutOff = ({ message = '' }: (typeof errors)[number]): boolean => message.includes(cutOff);
  const others = errors.filter((error) => !isCutOff(error));
  if (others.length > 0) errors.splice(0, errors.length, ...others);
  for (const error of errors.filter(isCutOff)) {
    const { message = '', stack = message } = error;
    Object.assign(error, { message: message.replace(cutOff, cause), stack: stack.replace(cutOff, cause) });
  }
}
