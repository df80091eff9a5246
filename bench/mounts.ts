import type { Page } from '@playwright/test';
import { launchBrowser, type MeasuredBrowser, onPage } from './browser-pages.ts';
import type { Report } from './figures/report.ts';
import { type Cost, takeTurns } from './figures/rounds.ts';
import { compareWithFloor } from './floor/compare.ts';

/** Both pages' functions: frames or gadgets that come with the page, and those added later. */
declare const readyAtMs: Promise<number>;
declare const insert: (count: number) => Promise<number>;

const counts = [10, 100];
const rounds = 15;

// A page costs its scripts once and each gadget its frame, so both are measured. The goal compares
// gadgets with frames, and is the floor's too.
const starts = [
  { name: 'put into a page that has one', goal: { most: 1.05 }, measure: sinceInsertion },
  {
    name: 'since the page was navigated to, with its scripts in the cache',
    goal: { most: 1.1 },
    measure: sinceNavigation,
  },
] as const;

/** Milliseconds until every gadget of a page holds its port, against as many bare frames. */
export async function measureMounts(url: string, report: Report): Promise<void> {
  const browser = await launchBrowser();
  try {
    for (const count of counts) {
      for (const { name, goal, measure } of starts) {
        const on = (file: string) => () =>
          onPage(browser, (page) => measure({ browser, page, address: `${url}/bench/${file}`, count }));
        const [ours, least, bare] = [on('gadgets.html'), on('floor/index.html'), on('frames.html')];
        compareWithFloor(report, {
          what: `${count} gadgets`,
          frames: `${count} bare sandboxed frames with a script of the SDK's size and a port`,
          condition: name,
          costs: await takeTurns({ bare, ours, least, leastAgain: least, bareAgain: bare }, report.rounds(rounds)),
          goal,
        });
      }
    }
  } finally {
    await browser.close();
  }
}

interface Mounting {
  readonly browser: MeasuredBrowser;
  readonly page: Page;
  readonly address: string;
  readonly count: number;
}

async function sinceInsertion({ browser, page, address, count }: Mounting): Promise<Cost> {
  await page.goto(`${address}?count=1`);
  await page.evaluate(() => readyAtMs);
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve))); // the first fetches are complete
  return inMs(browser, () =>
    page.evaluate(async (count) => {
      const start = performance.now();
      return (await insert(count)) - start;
    }, count),
  );
}

/** Measures a second visit, with the browser's cache of the first. */
async function sinceNavigation({ browser, page, address, count }: Mounting): Promise<Cost> {
  await page.goto(`${address}?count=1`);
  await page.evaluate(() => readyAtMs);
  return inMs(browser, async () => {
    await page.goto(`${address}?count=${count}`);
    return page.evaluate(() => readyAtMs);
  });
}

function inMs(browser: MeasuredBrowser, work: () => Promise<number>): Promise<Cost> {
  return browser.cost(async () => ({ wall: await work(), per: 1_000 }));
}
