import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { launchBrowser, onPage } from './browser-pages.ts';
import { printFigure } from './report.ts';
import { medians } from './rounds.ts';

/** Both pages' functions: frames or gadgets that come with the page, and those added later. */
declare const readyAtMs: Promise<number>;
declare const insert: (count: number) => Promise<number>;

const counts = [10, 100];
const rounds = 15;

// A page costs its scripts once and each gadget its frame, so both are measured. The goal compares
// gadgets with frames.
const starts = [
  { name: 'put into a page that has one', goal: '≤ 1.15 ×', measure: sinceInsertion },
  {
    name: 'since the page was navigated to, with its scripts in the cache',
    goal: 'none, the row above has it',
    measure: sinceNavigation,
  },
] as const;

/** Milliseconds until every gadget of a page holds its port, against as many bare frames. */
export async function measureMounts(url: string): Promise<void> {
  const browser = await launchBrowser();
  try {
    const sdkBytes = gzipSync(await readFile(fileURLToPath(import.meta.resolve('@gantry/osapi/osapi.js')))).length;
    for (const count of counts) {
      for (const { name, goal, measure } of starts) {
        const gadgets = () => onPage(browser, (page) => measure(page, `${url}/bench/gadgets.html`, count));
        const frames = () => onPage(browser, (page) => measure(page, `${url}/bench/frames.html`, count));
        const [ours, against, again] = (await medians([gadgets, frames, frames], rounds)) as [number, number, number];
        printFigure({
          name: `${count} gadgets against ${count} bare sandboxed frames with a script of the SDK's size (${sdkBytes} bytes gzipped) and a port, ${name}`,
          ours,
          against,
          again,
          unit: 'ms',
          goal,
        });
      }
    }
  } finally {
    await browser.close();
  }
}

async function sinceInsertion(page: Page, address: string, count: number): Promise<number> {
  await page.goto(`${address}?count=1`);
  await page.evaluate(() => readyAtMs);
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve))); // the first fetches are complete
  return page.evaluate(async (count) => {
    const start = performance.now();
    return (await insert(count)) - start;
  }, count);
}

/** Measures a second visit, with the browser's cache of the first. */
async function sinceNavigation(page: Page, address: string, count: number): Promise<number> {
  await page.goto(`${address}?count=1`);
  await page.evaluate(() => readyAtMs);
  await page.goto(`${address}?count=${count}`);
  return page.evaluate(() => readyAtMs);
}
