import { isWide, maxAnswerBytes, type ResolvedRequest, SocialError } from '@gantry/wire';

interface Budget {
  leftBytes: number;
  /** The last read of AppData of several members. */
  lastWide: Promise<unknown>;
}

/**
 * Limits the bytes that each app receives in the answer to one request of a page, so that no app
 * uses up another's.
 *
 * @returns A function that runs one call and subtracts its line from the app's budget. Throws
 * SocialError TOO_LARGE for a read that exceeds it, and for calls after it, which are not run.
 */
export function createAnswerBudgets(): (
  call: { readonly app: string; readonly request: ResolvedRequest },
  work: () => Promise<string>,
) => Promise<string> {
  const budgets = new Map<string, Budget>();

  async function within(budget: Budget, isRead: boolean, work: () => Promise<string>): Promise<string> {
    if (budget.leftBytes <= 0) throw tooLarge();
    const line = await work();
    budget.leftBytes -= Buffer.byteLength(line);
    if (budget.leftBytes >= 0 || !isRead) return line; // a completed write is always reported
    budget.leftBytes = 0;
    throw tooLarge();
  }

  return ({ app, request }, work) => {
    const budget = budgets.get(app) ?? { leftBytes: maxAnswerBytes, lastWide: Promise.resolve() };
    budgets.set(app, budget);
    if (!isWide(request.operation, request.segments[1])) return within(budget, request.method === 'GET', work);
    // One after the other: each may use up the budget, and calls after that are not run.
    const line = budget.lastWide.then(() => within(budget, true, work));
    budget.lastWide = line.catch(() => undefined);
    return line;
  };
}

function tooLarge(): SocialError {
  return new SocialError(
    'TOO_LARGE',
    `The answers to an app's calls in one request have at most ${maxAnswerBytes} bytes together: ask for less, or page with count and startIndex.`,
  );
}
