import type { Budgets } from '../gadget-state.ts';

const usual: Budgets = { startMs: 10_000, responseMs: 5_000, restartMs: 30_000, messagesPerSecond: 1_000 };

/** Returns the usual budgets with those of `budgets` that are numbers from 0 on. */
export function budgetsWith(budgets: Partial<Budgets> | null | undefined): Budgets {
  const valid = Object.entries(budgets ?? {}).filter(([, value]) => Number.isFinite(value) && value >= 0);
  return { ...usual, ...Object.fromEntries(valid) };
}
