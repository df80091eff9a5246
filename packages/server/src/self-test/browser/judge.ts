import type { Result } from './claims.ts';
import type { Outcome } from './report.ts';

/**
 * Judges a claim: it holds only if the attempt got out without the guard and not with it. An
 * attempt whose arrival cannot be seen counts as having got out, unless it was refused.
 *
 * @param options.control Outcome of the same attempt without the guard, if there is a control.
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
