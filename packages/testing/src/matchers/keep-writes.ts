import type { Lab } from '@gantry/lab';
import type { ExpectMatcherState, MatcherReturnType } from '@playwright/test';
import { requireKnown } from '../known-options.ts';
import { notOnASite } from '../site-features.ts';
import type { ShownGadget } from '../types.ts';
import { listed } from './brief.ts';
import { appDataProblems, postProblems, writesOf } from './kept-writes.ts';
import { whyPartial } from './received.ts';
import { retry, whyUnsettled } from './retry.ts';
import type { LookAt } from './shown.ts';

/**
 * Passes when the site holds each successful write exactly once: AppData and activities of this
 * member through this app, from all pages of the test. Pending writes are awaited.
 *
 * @example
 * gantry.faults.once('activities.create').dropReply();
 * await gadget.frame.getByRole('button', { name: 'Post' }).click();
 * await expect(gadget).toKeepWrites(); // neither lost nor posted twice
 * @param options.atLeast Writes that the app must have made. Default: 1.
 */
export async function toKeepWrites(
  this: ExpectMatcherState,
  gadget: ShownGadget,
  { atLeast = 1, ...look }: { readonly atLeast?: number } & LookAt = {},
): Promise<MatcherReturnType> {
  requireKnown('toKeepWrites', look, ['on']);
  const { isNot } = this;
  return retry(this, {
    gadget,
    matcher: 'toKeepWrites',
    async check(leftMs) {
      const { lab } = gadget;
      if (!lab) throw notOnASite('toKeepWrites');
      let { problems, count } = await compare(gadget, lab);
      if (problems.length === 0 && !isNot) {
        const unsettled = await whyUnsettled(gadget, leftMs, look);
        ({ problems, count } = await compare(gadget, lab));
        if (unsettled) problems = [unsettled, ...problems];
      }
      if (count < atLeast) {
        const few = `${gadget.app || 'The app'} has made ${count} of at least ${atLeast} writes for ${gadget.viewer}. If that is meant: { atLeast: ${count} }.`;
        return { pass: isNot, lines: () => [few, ...listed(problems)] };
      }
      const pass = problems.length === 0;
      const of = `of ${gadget.app} for ${gadget.viewer}`;
      const head = pass ? `The site holds all writes ${of}: ${count}.` : `Writes ${of}:`;
      return { pass, lines: () => [head, ...listed(problems)] };
    },
  });
}

async function compare(
  gadget: ShownGadget,
  lab: Lab,
): Promise<{ readonly problems: readonly string[]; readonly count: number }> {
  const { app, viewer } = gadget;
  const writes = writesOf(lab.record.entries, { app, viewer });
  const open = writes.filter(({ outcome }) => outcome === 'open');
  const of = { app, member: viewer };
  const partial = whyPartial(gadget);
  const problems = [
    ...open.map(({ number, operation }) => `open: #${number} ${operation} has got no reply.`),
    ...appDataProblems(writes, await lab.stored.appData(of)),
    ...postProblems(writes, await lab.stored.activities(of)),
    ...(partial ? [partial] : []),
  ];
  return { problems, count: writes.length };
}
