import type { ElementHandle, ExpectMatcherState, Frame, MatcherReturnType } from '@playwright/test';
import type { AxeResults, PartialResult, RunOptions } from 'axe-core';
import type { ShownGadget } from '../types.ts';
import { inOwnTime, lineOf } from '../waits.ts';
import { brief, listed } from './brief.ts';
import { retry } from './retry.ts';
import type { LookAt } from './shown.ts';

/** The part of axe that checks frame by frame, in a page. Contexts are data that axe makes. */
declare const axe: {
  readonly version: string;
  readonly utils: {
    getFrameContexts(
      context: unknown,
      options: object,
    ): { readonly frameSelector: string | readonly string[]; readonly frameContext: object }[];
    shadowSelect(selector: unknown): Element | null;
  };
  runPartial(context: unknown, options: object): Promise<PartialResult>;
  finishRun(partials: readonly (PartialResult | null)[], options: object): Promise<AxeResults>;
};

/** Rules that a test checks. */
export interface AccessibleOptions extends LookAt {
  /** Only rules with one of these tags, such as `wcag2aa`. Default: the default of axe. */
  readonly tags?: readonly string[];
  /**
   * Rules that are switched off or on by id: `{ 'color-contrast': false }`. Off are those for whole
   * pages (`landmark-one-main`, `page-has-heading-one`, `region`), since a gadget is a part of one.
   */
  readonly rules?: Readonly<Record<string, boolean>>;
}

const mostNodes = 5;
const leastMs = 5_000; // half a megabyte is read in each frame
/** Rules for a whole page: a gadget is a part of one. */
const ofPages = { 'landmark-one-main': false, 'page-has-heading-one': false, region: false };

/**
 * Passes when axe finds nothing wrong in the gadget: its own buttons and cards, the app's frame,
 * and frames within. A frame that cannot be looked into is a failure.
 *
 * @example
 * await expect(gadget).toBeAccessible({ rules: { 'color-contrast': false } });
 * await expect(gadget).toBeAccessible({ on: 'card' }); // the question for consent
 */
export async function toBeAccessible(
  this: ExpectMatcherState,
  gadget: ShownGadget,
  options: AccessibleOptions = {},
): Promise<MatcherReturnType> {
  const runOptions = optionsOf(options);
  return retry(this, {
    gadget,
    matcher: 'toBeAccessible',
    leastMs,
    whenThrown: 'The gadget could not be looked at: ',
    seen: options,
    async check(limitMs) {
      // Longer than the limit of a frame, so that the error names the frame.
      const slow = 'axe did not come to an end.';
      const findings = await inOwnTime(gadget.page, runAxe(gadget, runOptions, limitMs), 2 * limitMs, slow);
      const head = findings.length === 0 ? 'axe has found nothing wrong.' : `axe has found ${findings.length}:`;
      return { pass: findings.length === 0, lines: () => [head, ...listed(findings)] };
    },
  });
}

function optionsOf({ tags, rules = {} }: AccessibleOptions): RunOptions {
  return {
    ...(tags && { runOnly: { type: 'tag', values: [...tags] } }),
    rules: Object.fromEntries(Object.entries({ ...ofPages, ...rules }).map(([id, enabled]) => [id, { enabled }])),
    resultTypes: ['violations', 'incomplete'],
  };
}

/** @returns Lines of each finding. */
async function runAxe(
  { element, page }: ShownGadget,
  options: RunOptions,
  limitMs: number,
): Promise<readonly (readonly string[])[]> {
  const [top] = await element.elementHandles();
  if (!top) throw new Error('There is no gadget.');
  const { default: script } = await import('axe-core'); // half a megabyte, which few tests need
  const skipped: (readonly string[])[] = [];
  const partials = await checkFrame(page.mainFrame(), top, { script, options, skipped, limitMs });
  const input = { partials: [...partials], options };
  const { violations, incomplete } = await page.evaluate((all) => axe.finishRun(all.partials, all.options), input);
  const untested = incomplete.filter(({ id }) => id === 'frame-tested');
  return [...skipped, ...[...violations, ...(skipped.length > 0 ? [] : untested)].map(linesOf)];
}

interface AxeRun {
  readonly script: { readonly source: string; readonly version: string };
  readonly options: RunOptions;
  /** Findings about frames that could not be checked. */
  readonly skipped: (readonly string[])[];
  readonly limitMs: number;
}

/**
 * Runs axe in a frame and those within. `AxeBuilder` would give a frame one second to load half a
 * megabyte, and then skip it silently.
 *
 * @returns Results of the frame and those within, in axe's order; null for one that was skipped.
 */
async function checkFrame(frame: Frame, context: ElementHandle | object, run: AxeRun): Promise<readonly Partial[]> {
  const { script, options, skipped, limitMs } = run;
  if ((await frame.evaluate(() => ('axe' in self ? axe.version : ''))) !== script.version)
    await frame.evaluate(script.source);
  const input = { context, options };
  const inner = await frame.evaluate(({ context: at, options: given }) => axe.utils.getFrameContexts(at, given), input);
  const partials: Partial[] = [
    await frame.evaluate(({ context: at, options: given }) => axe.runPartial(at, given), input),
  ];
  for (const { frameSelector, frameContext } of inner) {
    try {
      const handle = await frame.evaluateHandle((at) => axe.utils.shadowSelect(at), frameSelector);
      const child = await handle.asElement()?.contentFrame();
      if (!child) throw new Error('it has no document.');
      const slow = 'it does not answer. Does a script in it run without an end?';
      partials.push(...(await inOwnTime(frame.page(), checkFrame(child, frameContext, run), limitMs, slow)));
    } catch (error) {
      const name = brief([frameSelector].flat().at(-1), 120);
      skipped.push([`frame-skipped: the frame ${name} was not looked into: ${lineOf(error)}`]);
      partials.push(null);
    }
  }
  return partials;
}

type Partial = PartialResult | null;

function linesOf({ id, help, helpUrl, nodes }: AxeResults['violations'][number]): readonly string[] {
  const places = nodes.map(({ target, html, failureSummary = '' }) => {
    const details = [html, ...failureSummary.split('\n').slice(1, 4)];
    const place = target.flat().map(String).join(' › ').slice(0, 200);
    return [place, ...details.map((line) => `  ${line.trim().slice(0, 200)}`)];
  });
  return [`${id}: ${help}`, `  ${helpUrl}`, ...listed(places, mostNodes)];
}
