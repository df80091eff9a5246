import type { ExpectMatcherState, MatcherReturnType } from '@playwright/test';
import type { ShownGadget } from '../types.ts';
import { inOwnTime } from '../waits.ts';
import { listed } from './brief.ts';
import { walkByKeyboard } from './keyboard-walk.ts';
import { retry } from './retry.ts';

const leastMs = 20_000; // each stop costs round trips

/**
 * Passes when Tab walks through the gadget as a member without a mouse needs it: to every control
 * of the app, in the order of its page, with a visible focus, and out on the other side; and
 * Shift+Tab back. The container's own buttons are walked through too.
 *
 * It presses keys, so focus listeners of the app run.
 */
export async function toBeWalkableByKeyboard(
  this: ExpectMatcherState,
  gadget: ShownGadget,
): Promise<MatcherReturnType> {
  return retry(this, {
    gadget,
    matcher: 'toBeWalkableByKeyboard',
    leastMs,
    whenThrown: 'The gadget could not be walked through: ',
    seen: {},
    async check(limitMs) {
      const slow = 'the walk did not come to an end: does the app answer?';
      const problems = await inOwnTime(gadget.page, walkByKeyboard(gadget), limitMs, slow);
      const pass = problems.length === 0;
      const head = pass ? 'Tab walks through the whole gadget.' : 'The gadget cannot be used by keyboard alone:';
      return { pass, lines: () => [head, ...listed(problems)] };
    },
  });
}
