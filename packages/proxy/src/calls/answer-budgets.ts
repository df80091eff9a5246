import { isWide, maxAnswerBytes, type ResolvedRequest, SocialError } from '@gantry/wire';

/** Limits on the bytes that each app receives in the answer to one request of a page. */
export interface AnswerBudgets {
  /**
   * Runs one call of an app and subtracts its line from the app's budget.
   *
   * @throws SocialError TOO_LARGE for a read that exceeds the budget, and for calls after it, which
   * are not run.
   */
  run(call: { readonly app: string; readonly request: ResolvedRequest }, work: () => Promise<string>): Promise<string>;
}

interface Budget {
  leftBytes: number;
  /** The last read of AppData of several members. */
  lastWide: Promise<unknown>;
}

/** Makes the budgets of one request, one for each app, so that no app uses up another's. */
export function createAnswerBudgets(): AnswerBudgets {
  const budgets = new Map<string, Budget>();

  async function within(budget: Budget, isRead: boolean, work: () => Promise<string>): Promise<string> {
    if (budget.leftBytes <= 0) throw tooLarge();
    const line = await work();
    budget.leftBytes -= Buffer.byteLength(line);
    if (budget.leftBytes >= 0 || !isRead) return line; // a completed write is always reported
    budget.leftBytes = 0;
    throw tooLarge();
  }

  return {
    run({ app, request }, work) {
      const budget = budgets.get(app) ?? { leftBytes: maxAnswerBytes, lastWide: Promise.resolve() };
      budgets.set(app, budget);
      if (!isWide(request.operation, request.segments[1])) return within(budget, request.method === 'GET', work);
      // One after the other: each may use up the budget, and calls after that are not run.
      const line = budget.lastWide.then(() => within(budget, true, work));
      budget.lastWide = line.catch(() => undefined);
      return line;
    },
  };
}

function tooLarge(): SocialError {
  return new SocialError(
    'TOO_LARGE',
    `The answers to an app's calls in one request have at most ${maxAnswerBytes} bytes together: ask for less, or page with count and startIndex.`,
  );
}
