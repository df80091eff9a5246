import type { Page } from '@playwright/test';
import { freePort } from '../packages/server/test/free-port.ts';
import { launchBrowser, onPage } from './browser-pages.ts';
import { paintOf } from './counts/page-counts.ts';
import type { Goal } from './figures/figure.ts';
import type { Report } from './figures/report.ts';
import { type Contestant, type Cost, takeTurns } from './figures/rounds.ts';
import { compareWithFloor } from './floor/compare.ts';
import { startBenchSite } from './site.ts';
import { type Link, openSlowLink } from './slow-link.ts';

const rounds = 9;
const settleMs = 2_500; // what comes after the first paint, which the next visit has in its cache
const gadget = 'gadgets.html?app=list&count=1';
const floor = 'floor/index.html?app=list&count=1';
const frame = 'frames.html?file=data.html&count=1';

interface Condition {
  readonly name: string;
  readonly link: Link;
  /** Times that scripts take, of their usual. */
  readonly slowdown: number;
}

const conditions: readonly Condition[] = [
  { name: 'on this machine', link: { delayMs: 0 }, slowdown: 1 },
  { name: 'with a processor slowed 4 ×', link: { delayMs: 0 }, slowdown: 4 },
  { name: 'over 150 ms and 200 kB a second', link: { delayMs: 75, bytesPerSecond: 200_000 }, slowdown: 1 },
];

const visits: readonly { readonly name: string; readonly isSecond: boolean; readonly goal: Goal }[] = [
  { name: 'on a first visit', isSecond: false, goal: { most: 1.3 } },
  { name: 'on a second visit', isSecond: true, goal: { most: 1.05 } },
];

/**
 * Milliseconds from navigation to the paint of a gadget's data, against a frame that has them, and
 * against the floor. That has the goal, too: if it misses it, no host of this design can reach it.
 */
export async function measureStarts(report: Report): Promise<void> {
  // Frames in the page's own process, since only that is slowed.
  const browser = await launchBrowser(['--disable-features=IsolateSandboxedIframes']);
  try {
    for (const { name, link: slow, slowdown } of conditions) {
      const port = await freePort();
      const link = await openSlowLink(slow, port);
      const site = await startBenchSite({ behind: { port, url: link.url } });
      try {
        for (const { name: visit, isSecond, goal } of visits) {
          const start = (path: string) => (): Promise<Cost> =>
            onPage(browser, async (page) => {
              const address = `${site.url}/bench/${path}`;
              await slowDown(page, slowdown);
              if (isSecond) {
                await paintOf(page, address);
                await page.waitForTimeout(settleMs);
              }
              return browser.cost(async () => {
                const paintMs = await paintOf(page, address);
                return { wall: paintMs - (await page.evaluate(() => performance.timeOrigin)), per: 1_000 };
              });
            });
          const [ours, least, bare] = [gadget, floor, frame].map(start) as [Contestant, Contestant, Contestant];
          compareWithFloor(report, {
            what: `First paint of a gadget's data`,
            frames: 'a bare frame with the same data inline',
            condition: `${visit}, ${name}`,
            costs: await takeTurns({ bare, ours, least, leastAgain: least, bareAgain: bare }, report.rounds(rounds)),
            goal,
          });
        }
        if (slow.delayMs > 0)
          for (const path of [frame, floor, gadget])
            await onPage(browser, (page) => printWaterfall(page, `${site.url}/bench/${path}`));
      } finally {
        link.close();
        await site.close();
      }
    }
  } finally {
    await browser.close();
  }
}

async function slowDown(page: Page, rate: number): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate });
}

/** Prints each request of a first visit until the paint, as a line of its time. */
async function printWaterfall(page: Page, address: string): Promise<void> {
  const rows: { readonly name: string; readonly startMs: number; readonly endMs: number }[] = [];
  page.on('requestfinished', (request) => {
    const { startTime, responseEnd } = request.timing();
    rows.push({ name: new URL(request.url()).pathname, startMs: startTime, endMs: startTime + responseEnd });
  });
  const paintMs = await paintOf(page, address);
  const startMs = await page.evaluate(() => performance.timeOrigin);
  const perColumn = (paintMs - startMs) / 60;
  console.log(`  a first visit to ${address}, painted after ${Math.round(paintMs - startMs)} ms`);
  for (const row of rows.filter((one) => one.startMs < paintMs).sort((a, b) => a.startMs - b.startMs)) {
    const [from, to] = [row.startMs, row.endMs].map((ms) => Math.max(0, Math.round((ms - startMs) / perColumn)));
    const bar = ' '.repeat(from ?? 0) + '─'.repeat(Math.max(1, (to ?? 0) - (from ?? 0)));
    console.log(
      `  ${row.name.slice(-40).padEnd(40)} ${Math.round(row.startMs - startMs)
        .toString()
        .padStart(5)} ${bar}`,
    );
  }
}
