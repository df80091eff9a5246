import type { Entry } from '@gantry/lab';
import type { Page } from '@playwright/test';
import type { Gadget } from './types.ts';
import { inTime } from './waits.ts';

/** Uncaught errors of one test, over all its pages. */
export type UncaughtErrors = ReturnType<typeof createUncaughtErrors>;

const flushMs = 5_000;
const mostShown = 10;

/**
 * Collects uncaught errors by the browser's own reports: in a frame without an origin the window
 * hears only "Script error.", and of rejections nothing.
 *
 * @param expected Texts, or expressions for them, of errors that a test expects.
 */
export function createUncaughtErrors(expected: readonly (string | RegExp)[]) {
  const missing = new Set(expected);
  const isExpected = (text: string): boolean => {
    const matches = expected.filter((one) => fits(text, one));
    for (const one of matches) missing.delete(one);
    return matches.length > 0;
  };
  return {
    /** Collects errors of a page. Returns a function that resolves with those not expected. */
    watch(page: Page, gadget: () => Pick<Gadget, 'app' | 'viewer' | 'record'>): () => Promise<Error | undefined> {
      const errors: Error[] = [];
      page.on('pageerror', (error) => errors.push(error));
      return async () => {
        await flush(page);
        const { app, viewer, record } = gadget();
        const texts = [...errors.map((error) => lineOf(error, record)), ...record.flatMap(unhandledIn)];
        const unexpected = texts.filter((text) => !isExpected(text));
        if (unexpected.length === 0) return undefined;
        const lines = unexpected.slice(0, mostShown).map((text) => `  ${text.slice(0, 500)}`);
        const cure = 'If a test means one: test.use({ expectedErrors: [/its text/] }).';
        return new Error([`Uncaught in ${app || 'the page'}, for ${viewer}:`, ...lines, cure].join('\n'));
      };
    },
    /** Returns an error for expected ones that did not come. */
    missed: (): Error | undefined =>
      missing.size > 0 ? new Error(`Expected errors that did not come: ${[...missing].join(', ')}`) : undefined,
  };
}

/** Returns whether a text has a part, or fits an expression. */
export function fits(text: string, part: string | RegExp): boolean {
  return typeof part === 'string' ? text.includes(part) : text.search(part) >= 0;
}

/**
 * Waits until all frames have run the scripts of their documents, which may be behind `mount`, and
 * errors have arrived: they come before a later reply.
 */
async function flush(page: Page): Promise<void> {
  if (page.isClosed()) return;
  const turns = page.frames().map((frame) =>
    frame.evaluate(() => {
      const [{ domContentLoadedEventEnd = 0 } = {}] = performance.getEntriesByType(
        'navigation',
      ) as PerformanceNavigationTiming[];
      const hasRun = document.readyState === 'complete' || domContentLoadedEventEnd > 0;
      return new Promise<void>((resolve) => {
        if (hasRun) setTimeout(resolve);
        else addEventListener('DOMContentLoaded', () => setTimeout(resolve), { once: true });
      });
    }),
  );
  await inTime(Promise.allSettled(turns), flushMs, '').catch(() => {}); // a frame may hang
}

/** Names an error, its place in the app, and for one of the SDK the call that failed so. */
function lineOf({ name, message, stack = '' }: Error, record: readonly Entry[]): string {
  const place = stack.match(/https?:\/\/[^\s()]+:\d+:\d+/g)?.find((place) => !place.includes('/gantry/osapi.js'));
  const reply = record.findLast((one) => one.kind === 'reply' && one.error?.message === message);
  const call =
    reply?.kind === 'reply' &&
    record.find((one) => one.kind === 'call' && one.call === reply.call && one.place === reply.place);
  return [
    `${name.replace(/^Uncaught (\(in promise\) )?/, '')}: ${message}`,
    ...(place ? [`at ${place.replace(/^.*\/gantry\/apps\/[^/]+\/[^/]+\//, '')}`] : []),
    ...(call && call.kind === 'call' ? [`of ${call.operation} (call #${call.call})`] : []),
  ].join(' ');
}

/** Failures of calls that the SDK reports itself: the app gave no function for them. */
function unhandledIn(entry: Entry): readonly string[] {
  if (entry.kind !== 'action' || entry.name !== 'error' || !Array.isArray(entry.params)) return [];
  return entry.params.length === 1 ? [String(entry.params[0])] : [];
}
