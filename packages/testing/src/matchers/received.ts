import type { Entry } from '@gantry/lab';
import type { ExpectMatcherState, MatcherReturnType } from '@playwright/test';
import type { ShownGadget } from '../types.ts';
import { whyNeverReceived } from './api-fields.ts';
import { brief, cut, listed } from './brief.ts';
import { findReceived, receivedIn } from './find-received.ts';
import { retry, whyUnsettled } from './retry.ts';
import type { LookAt } from './shown.ts';

/**
 * Passes when the frame received a field with a value, or a value, in a result, error, push, event
 * or context. With `not` it waits until the gadget is settled, and fails if the record is
 * incomplete.
 *
 * @example
 * await expect(gadget).not.toHaveReceived('birthday');
 * await expect(gadget).not.toHaveReceived('birthday', '1990/05/17'); // in any field or text
 * @param field Name of a member, at any depth. An empty text or list is no value: the site sends
 * it for a hidden member.
 * @param value A text is searched everywhere; any other value in members of that name.
 */
export async function toHaveReceived(
  this: ExpectMatcherState,
  gadget: ShownGadget,
  field: string,
  value?: unknown,
  look: LookAt = {},
): Promise<MatcherReturnType> {
  if (field === '' || value === '') throw new Error('toHaveReceived needs a name, and a value that is not empty.');
  const what = value === undefined ? field : `${field} ${brief(value)}`;
  const { isNot } = this;
  return retry(this, {
    gadget,
    matcher: 'toHaveReceived',
    async check(leftMs) {
      const problem = isNot ? await whyUnsettled(gadget, leftMs, look) : undefined;
      const matches = findReceived(gadget.record, { field, value });
      if (matches.length > 0) {
        const places = matches.map(({ from, path, value: at }) => `${from}: ${cut(path, 120)} = ${brief(at)}`);
        return { pass: true, isFinal: true, lines: () => [`The app has received ${what}:`, ...listed(places, 10)] };
      }
      const stored = isNot && gadget.lab?.stored;
      const never = stored ? await whyNeverReceived(stored, { field, value }) : undefined;
      const unsure = never ?? problem ?? (isNot ? whyPartial(gadget) : undefined);
      if (unsure) {
        const lines = [`It cannot be said that the app has not received ${what}.`, unsure];
        return { pass: true, isFinal: true, lines: () => lines };
      }
      const count = gadget.record.filter((entry) => receivedIn(entry) !== undefined).length;
      const line = `The app has not received ${what}: it is in none of ${count} messages to it.`;
      return { pass: false, lines: () => [line] };
    },
  });
}

/** Returns the reason for which the record is incomplete, if it is. */
export function whyPartial({ lab, record }: ShownGadget): string | undefined {
  const [first] = lab?.record.entries ?? [];
  if (first && first.number > 1) return 'The record was so long that its beginning is gone.';
  // Entries with a place come from the agent, which reports no results.
  const isLost = (entry: Entry): boolean => entry.kind === 'left-out' && entry.place === undefined;
  if ([...(lab?.record.entries ?? []), ...record].some(isLost))
    return 'The page could not report everything: some entries were left out.';
  for (const entry of record) {
    const received = receivedIn(entry);
    if (received && isLeftOut(received.content)) return `The ${received.from} was too large for the record.`;
  }
  return undefined;
}

function isLeftOut(content: unknown): boolean {
  if (typeof content !== 'object' || content === null) return false;
  const { ok, leftOut } = content as { ok?: unknown; leftOut?: unknown };
  return leftOut === true || (ok !== undefined && isLeftOut(ok));
}
