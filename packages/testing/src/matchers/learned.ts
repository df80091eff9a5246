import type { Entry } from '@gantry/lab';
import type { ExpectMatcherState, MatcherReturnType } from '@playwright/test';
import type { ShownGadget } from '../types.ts';
import { brief, cut } from './brief.ts';
import { findLearned, toldBy } from './find-learned.ts';
import { retry, whyUnsettled } from './retry.ts';

/**
 * Passes when the frame received a field with a value, or a value, in a result, error, push, event
 * or context. With `not` it waits until the gadget is settled, and fails if the record is
 * incomplete.
 *
 * @example
 * await expect(gadget).not.toHaveLearned('birthday');
 * await expect(gadget).not.toHaveLearned('birthday', '1990/05/17'); // in any field or text
 * @param field Name of a member, at any depth. An empty text or list is no value: so the site sends
 * what is hidden.
 * @param value A text is looked for everywhere; any other value below members of that name.
 */
export async function toHaveLearned(
  this: ExpectMatcherState,
  gadget: ShownGadget,
  field: string,
  value?: unknown,
): Promise<MatcherReturnType> {
  if (field === '' || value === '') throw new Error('toHaveLearned needs a name, and a value that is not empty.');
  const what = value === undefined ? field : `${field} ${brief(value)}`;
  const { isNot } = this;
  return retry(this, {
    matcher: 'toHaveLearned',
    async look(leftMs) {
      const problem = isNot ? await whyUnsettled(gadget, leftMs) : undefined;
      const found = findLearned(gadget.record, { field, value });
      if (found.length > 0) {
        const places = found
          .slice(0, 10)
          .map(({ from, path, value: at }) => `  ${from}: ${cut(path, 120)} = ${brief(at)}`);
        return { pass: true, isFinal: true, lines: () => [`The app has learned ${what}:`, ...places] };
      }
      const unsure = problem ?? (isNot ? whyPartial(gadget) : undefined);
      if (unsure)
        return {
          pass: true,
          isFinal: true,
          lines: () => [`It cannot be said that the app has not learned ${what}.`, unsure],
        };
      const told = gadget.record.filter((entry) => toldBy(entry) !== undefined).length;
      return {
        pass: false,
        lines: () => [`The app has not learned ${what}: it is in none of ${told} messages to it.`],
      };
    },
  });
}

/** Returns the reason for which the record is incomplete, if it is. */
export function whyPartial({ lab, record }: ShownGadget): string | undefined {
  const [first] = lab?.record.entries ?? [];
  if (first && first.number > 1) return 'The record was so long that its beginning is gone.';
  // Those of a place are the agent's, which reports no results.
  const isLost = (entry: Entry): boolean => entry.kind === 'left-out' && entry.place === undefined;
  if ([...(lab?.record.entries ?? []), ...record].some(isLost))
    return 'The page could not report everything: some entries were left out.';
  for (const entry of record) {
    const told = toldBy(entry);
    if (told && isLeftOut(told.content)) return `The ${told.from} was too large for the record.`;
  }
  return undefined;
}

function isLeftOut(content: unknown): boolean {
  if (typeof content !== 'object' || content === null) return false;
  const { ok, leftOut } = content as { ok?: unknown; leftOut?: unknown };
  return leftOut === true || (ok !== undefined && isLeftOut(ok));
}
