import { expect, type Frame, type Page } from '@playwright/test';
import axeCore, { type AxeResults, type PartialResult } from 'axe-core';

/** Runs axe frame by frame inside a page. Contexts are data of axe's own. */
declare const axe: {
  readonly utils: {
    getFrameContexts(context: unknown): { readonly frameSelector: string; readonly frameContext: string }[];
    shadowSelect(selector: unknown): Element | null;
  };
  runPartial(context: unknown): Promise<PartialResult>;
  finishRun(partials: readonly PartialResult[], options: object): Promise<AxeResults>;
};

const looks = [
  { colorScheme: 'light', viewport: { width: 360, height: 740 } },
  { colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
] as const;
const reflow = { width: 320, height: 640 }; // 1280 at 400 % (WCAG 1.4.10)

/**
 * Checks a page small and light, wide and dark: axe with frames included, and whether it fits at
 * 400 % zoom.
 */
export async function inspect(page: Page, name: string): Promise<void> {
  const before = page.viewportSize();
  for (const { colorScheme, viewport } of looks) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    await expectAccessible(page, `${name}, ${colorScheme}`);
    await expectNoWider(page, viewport.width);
  }
  await page.setViewportSize(reflow);
  await expectNoWider(page, reflow.width);
  await page.emulateMedia({ colorScheme: null });
  if (before) await page.setViewportSize(before);
}

/** Fails for every violation that axe finds, and for a frame that axe skipped. */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  const partials: PartialResult[] = [];
  await lookInto(page.mainFrame(), undefined, partials);
  const { violations, incomplete } = await page.evaluate((all) => axe.finishRun(all, {}), partials);
  const found = violations.map(({ id, nodes }) => ({
    id,
    nodes: nodes.map(({ target, failureSummary }) => ({ target, failureSummary })),
  }));
  expect(found, name).toEqual([]);
  expect(
    incomplete.filter(({ id }) => id === 'frame-tested'),
    `frames skipped in ${name}`,
  ).toEqual([]);
}

/**
 * Not `AxeBuilder`: it silently skips a frame that takes more than a second to load half a
 * megabyte.
 */
async function lookInto(frame: Frame, context: string | undefined, partials: PartialResult[]): Promise<void> {
  if (!(await frame.evaluate(() => 'axe' in self))) await frame.evaluate(axeCore.source);
  const inner = await frame.evaluate((at) => axe.utils.getFrameContexts(at ?? document), context);
  partials.push(await frame.evaluate((at) => axe.runPartial(at ?? document), context));
  for (const { frameSelector, frameContext } of inner) {
    const handle = await frame.evaluateHandle((at) => axe.utils.shadowSelect(at), frameSelector);
    const child = await handle.asElement()?.contentFrame();
    if (!child) throw new Error(`There is no document in the frame ${JSON.stringify(frameSelector)}.`);
    await lookInto(child, frameContext, partials);
  }
}

async function expectNoWider(page: Page, width: number): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
}
