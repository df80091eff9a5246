import type { ExpectMatcherState, MatcherReturnType } from '@playwright/test';
import type { ShownGadget } from '../types.ts';
import { inTime, lineOf } from './in-time.ts';
import { walkByKeyboard } from './keyboard-walk.ts';
import { retry } from './retry.ts';

const mostShown = 10;
const leastMs = 20_000; // each stop costs round trips

/**
 * Passes when Tab walks through the gadget as a member without a mouse needs it: to every control
 * of the app, in the order of its page, with a focus that can be seen, and out on the other side;
 * and Shift+Tab back. The container's own buttons are walked through too.
 *
 * It presses keys: what the app does when a control gets the focus, it does.
 */
export async function toBeWalkableByKeyboard(
  this: ExpectMatcherState,
  gadget: ShownGadget,
): Promise<MatcherReturnType> {
  const { isNot } = this;
  return retry(this, {
    matcher: 'toBeWalkableByKeyboard',
    async look(leftMs) {
      const limitMs = Math.max(leftMs, leastMs);
      try {
        const slow = 'the walk did not come to an end: does the app answer?';
        const problems = await inTime(walkByKeyboard(gadget, limitMs), limitMs, slow);
        const more = problems.length > mostShown ? [`  … ${problems.length - mostShown} more`] : [];
        const head =
          problems.length === 0
            ? 'Tab walks through the whole gadget.'
            : 'The gadget cannot be used by keyboard alone:';
        return {
          pass: problems.length === 0,
          lines: () => [head, ...problems.slice(0, mostShown).map((line) => `  ${line}`), ...more],
        };
      } catch (error) {
        return { pass: isNot, lines: () => [`The gadget could not be walked through: ${lineOf(error)}`] };
      }
    },
  });
}
