import type { ElementHandle, ExpectMatcherState, Frame, MatcherReturnType } from '@playwright/test';
import type { AxeResults, PartialResult, RunOptions } from 'axe-core';
import type { ShownGadget } from '../types.ts';
import { brief } from './brief.ts';
import { inTime, lineOf } from './in-time.ts';
import { retry } from './retry.ts';

/** In a page: the part of axe that looks frame by frame. Contexts are data that it makes itself. */
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

/** Rules that a test looks for. */
export interface AccessibleOptions {
  /** Only rules with one of these tags, such as `wcag2aa`. Default: the default of axe. */
  readonly tags?: readonly string[];
  /**
   * Rules that are switched off or on by id: `{ 'color-contrast': false }`. Off are those for whole
   * pages (`landmark-one-main`, `page-has-heading-one`, `region`), since a gadget is a part of one.
   */
  readonly rules?: Readonly<Record<string, boolean>>;
}

const mostShown = 10;
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
 */
export async function toBeAccessible(
  this: ExpectMatcherState,
  gadget: ShownGadget,
  options: AccessibleOptions = {},
): Promise<MatcherReturnType> {
  const runOptions = optionsOf(options);
  const { isNot } = this;
  return retry(this, {
    matcher: 'toBeAccessible',
    async look(leftMs) {
      const limitMs = Math.max(leftMs, leastMs);
      try {
        // Longer than that of a frame, which begins when axe has looked at the page: the frame is
        // named.
        const found = await inTime(check(gadget, runOptions, limitMs), 2 * limitMs, 'axe did not come to an end.');
        const head = found.length === 0 ? 'axe has found nothing wrong.' : `axe has found ${found.length}:`;
        const more = found.length > mostShown ? [`  … ${found.length - mostShown} more`] : [];
        return { pass: found.length === 0, lines: () => [head, ...found.slice(0, mostShown).flat(), ...more] };
      } catch (error) {
        return { pass: isNot, lines: () => [`The gadget could not be looked at: ${lineOf(error)}`] };
      }
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
async function check(
  { element, page }: ShownGadget,
  options: RunOptions,
  limitMs: number,
): Promise<readonly (readonly string[])[]> {
  const top = await element.elementHandle({ timeout: limitMs });
  if (!top) throw new Error('There is no gadget.');
  const { default: script } = await import('axe-core'); // half a megabyte, which few tests need
  const skipped: (readonly string[])[] = [];
  const partials = await lookInto(page.mainFrame(), top, { script, options, skipped, limitMs });
  const given = { partials: [...partials], options };
  const { violations, incomplete } = await page.evaluate((all) => axe.finishRun(all.partials, all.options), given);
  const untested = incomplete.filter(({ id }) => id === 'frame-tested');
  return [...skipped, ...[...violations, ...(skipped.length > 0 ? [] : untested)].map(linesOf)];
}

interface Looking {
  readonly script: { readonly source: string; readonly version: string };
  readonly options: RunOptions;
  /** Findings about frames that were not looked into. */
  readonly skipped: (readonly string[])[];
  readonly limitMs: number;
}

/**
 * Not `AxeBuilder`: it gives a frame one second to take half a megabyte, and skips it without a
 * word after that.
 *
 * @returns Results of the frame and those within, in axe's order; null for one that was skipped.
 */
async function lookInto(frame: Frame, context: ElementHandle | object, look: Looking): Promise<readonly Partial[]> {
  const { script, options, skipped, limitMs } = look;
  if ((await frame.evaluate(() => ('axe' in self ? axe.version : ''))) !== script.version)
    await frame.evaluate(script.source);
  const asked = { context, options };
  const inner = await frame.evaluate(({ context: at, options: given }) => axe.utils.getFrameContexts(at, given), asked);
  const partials: Partial[] = [
    await frame.evaluate(({ context: at, options: given }) => axe.runPartial(at, given), asked),
  ];
  for (const { frameSelector, frameContext } of inner) {
    try {
      const handle = await frame.evaluateHandle((at) => axe.utils.shadowSelect(at), frameSelector);
      const child = await handle.asElement()?.contentFrame();
      if (!child) throw new Error('it has no document.');
      const slow = 'it does not answer. Does a script in it run without an end?';
      partials.push(...(await inTime(lookInto(child, frameContext, look), limitMs / 2, slow)));
    } catch (error) {
      const name = brief([frameSelector].flat().at(-1), 120);
      skipped.push([`  frame-skipped: the frame ${name} was not looked into: ${lineOf(error)}`]);
      partials.push(null);
    }
  }
  return partials;
}

type Partial = PartialResult | null;

function linesOf({ id, help, helpUrl, nodes }: AxeResults['violations'][number]): readonly string[] {
  const shown = nodes.slice(0, mostNodes).flatMap(({ target, html, failureSummary = '' }) => [
    `    ${target.flat().map(String).join(' › ').slice(0, 200)}`,
    `      ${html.slice(0, 200)}`,
    ...failureSummary
      .split('\n')
      .slice(1, 4)
      .map((line) => `      ${line.trim().slice(0, 200)}`),
  ]);
  const more = nodes.length > mostNodes ? [`    … ${nodes.length - mostNodes} more`] : [];
  return [`  ${id}: ${help}`, `    ${helpUrl}`, ...shown, ...more];
}
