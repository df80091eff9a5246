import { expect, type Frame, type Page } from '@playwright/test';
import axeCore, { type AxeResults, type PartialResult } from 'axe-core';

/** Runs axe frame by frame inside a page. Contexts are data of axe's own. */
declare const axe: {
  readonly utils: {
    getFrameContexts(context: unknown): { readonly frameSelector: string; readonly frameContext: string }[];
    shadowSelect(selector: unknown): Element | null;
  };
  runPartial(context: unknown, options: object): Promise<PartialResult>;
  finishRun(partials: readonly PartialResult[], options: object): Promise<AxeResults>;
};

/** Rules whose findings depend on colours and room. The others read the document. */
export const rulesOfLook = ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable', 'target-size'];

/** In the wide one more of a page is shown: all rules look at that. */
const looks = [
  { colorScheme: 'light', viewport: { width: 360, height: 740 }, rules: rulesOfLook },
  { colorScheme: 'dark', viewport: { width: 1280, height: 900 }, rules: undefined },
] as const;
const reflow = { width: 320, height: 640 }; // 1280 at 400 % (WCAG 1.4.10)

/**
 * Checks a page small and light, wide and dark: axe with frames included, and whether it fits at
 * 400 % zoom. Rules that no look can change run once.
 */
export async function inspect(page: Page, name: string): Promise<void> {
  const before = page.viewportSize();
  for (const { colorScheme, viewport, rules } of looks) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    await expectAccessible(page, `${name}, ${colorScheme}`, rules);
    await expectNoWider(page, viewport.width);
  }
  await page.setViewportSize(reflow);
  await expectNoWider(page, reflow.width);
  await page.emulateMedia({ colorScheme: null });
  if (before) await page.setViewportSize(before);
}

/**
 * Fails for every violation that axe finds, and for a frame that axe skipped.
 *
 * @param rules Only these. By default axe's own, and the size of targets (WCAG 2.2, 2.5.8).
 */
export async function expectAccessible(page: Page, name: string, rules?: readonly string[]): Promise<void> {
  const partials: PartialResult[] = [];
  const options = rules ? { runOnly: [...rules, 'frame-tested'] } : { rules: { 'target-size': { enabled: true } } };
  await lookInto(page.mainFrame(), { context: undefined, options }, partials);
  const { violations, incomplete } = await page.evaluate((all) => axe.finishRun(all, {}), partials);
  const problems = violations.map(({ id, nodes }) => ({
    id,
    nodes: nodes.map(({ target, failureSummary }) => ({ target, failureSummary })),
  }));
  expect(problems, name).toEqual([]);
  expect(
    incomplete.filter(({ id }) => id === 'frame-tested'),
    `frames skipped in ${name}`,
  ).toEqual([]);
}

/**
 * Not `AxeBuilder`: it silently skips a frame that takes more than a second to load half a
 * megabyte.
 */
async function lookInto(
  frame: Frame,
  { context, options }: { readonly context: string | undefined; readonly options: object },
  partials: PartialResult[],
): Promise<void> {
  if (!(await frame.evaluate(() => 'axe' in self))) await frame.evaluate(axeCore.source);
  const inner = await frame.evaluate((at) => axe.utils.getFrameContexts(at ?? document), context);
  const look = { context, options };
  partials.push(await frame.evaluate(({ context: at, options }) => axe.runPartial(at ?? document, options), look));
  for (const { frameSelector, frameContext } of inner) {
    const handle = await frame.evaluateHandle((at) => axe.utils.shadowSelect(at), frameSelector);
    const child = await handle.asElement()?.contentFrame();
    if (!child) throw new Error(`There is no document in the frame ${JSON.stringify(frameSelector)}.`);
    await lookInto(child, { context: frameContext, options }, partials);
  }
}

async function expectNoWider(page: Page, width: number): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
}
