import { limits } from './protocol.ts';

/**
 * Spends from an allowance.
 *
 * @returns How much of it is spent, as a share of all that can be saved up: above 1 is too much.
 */
export type Spend = (amount: number) => number;

/**
 * Allows `perSecond` in the long run, and saves up what is not spent for `limits.savedSeconds`.
 *
 * @param options.now Milliseconds from any start.
 */
export function createAllowance(options: { readonly perSecond: number; readonly now: () => number }): Spend {
  const { perSecond, now } = options;
  const saved = perSecond * limits.savedSeconds;
  let spent = 0; // time gives it back
  let spentAtMs = now();

  return (amount) => {
    const nowMs = now();
    spent = Math.max(0, spent - ((nowMs - spentAtMs) / 1_000) * perSecond) + amount;
    spentAtMs = nowMs;
    return spent / saved;
  };
}
