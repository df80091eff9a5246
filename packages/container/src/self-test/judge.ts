import type { Result } from './claims.ts';
import type { Outcome } from './report.ts';

/**
 * Says how a claim stands: held is only what got out without the guard and did not with it. What a probe cannot see arrive counts
 * as having got out, unless the browser says that it refused.
 *
 * @param options.control What became of the same attempt without the guard; absent where there is no such attempt.
 */
export function judge(options: {
  readonly guarded: Outcome | undefined;
  readonly control?: Outcome | undefined;
}): Result {
  const { guarded } = options;
  if (guarded === undefined) return 'untried';
  if (gotOut(guarded)) return 'broken';
  return !('control' in options) || gotOut(options.control) ? 'holds' : 'untried';
}

function gotOut(outcome: Outcome | undefined): boolean {
  return outcome === 'arrived' || outcome === 'sent';
}
