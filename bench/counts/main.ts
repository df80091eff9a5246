import { launchBrowser } from '../browser-pages.ts';
import type { Report } from '../figures/report.ts';
import { startBenchSite } from '../site.ts';
import { countAllocations } from './allocations.ts';
import { countCrossings } from './crossings.ts';
import { countIdle } from './idle-counts.ts';
import { countPages } from './page-counts.ts';
import { countServer } from './server-counts.ts';

/** Counts what load cannot bend: the same numbers on every machine, but for some bytes. */
export async function measureCounts(report: Report): Promise<void> {
  const browser = await launchBrowser();
  const site = await startBenchSite();
  try {
    for (const count of [
      ...(await countServer()),
      ...(await countCrossings()),
      ...(await countPages(browser)),
      ...(await countIdle(browser, `${site.url}/bench/gadgets.html?count=10`)),
      ...(await countAllocations()),
    ]) {
      report.count(count);
    }
  } finally {
    await browser.close();
    await site.close();
  }
}
