/** What an app may take: milliseconds, and messages. A site sets its own for each gadget. */
export interface Budgets {
  /** From its frame to its hello. */
  readonly startMs: number;
  /** For the answer to a heartbeat. */
  readonly responseMs: number;
  /** Without any answer, until it is started anew; 0 is never. */
  readonly restartMs: number;
  /**
   * In the long run: what it does not send in 20 seconds it may send later. Beyond that its calls are refused, and after as
   * many again it is stopped.
   */
  readonly messagesPerSecond: number;
}

const usual: Budgets = { startMs: 10_000, responseMs: 5_000, restartMs: 30_000, messagesPerSecond: 1_000 };

/** The usual budgets with what of `own` is a number from 0 on. */
export function budgetsWith(own: Partial<Budgets> | null | undefined): Budgets {
  const given = Object.entries(own ?? {}).filter(([, value]) => Number.isFinite(value) && value >= 0);
  return { ...usual, ...Object.fromEntries(given) };
}
