import type { Browser, Page } from '@playwright/test';
import { freePort } from '../../packages/server/test/free-port.ts';
import { onPage } from '../browser-pages.ts';
import type { Count } from '../figures/report.ts';
import { type BenchSiteOptions, startBenchSite } from '../site.ts';
import { openRounds, type Round } from './open-rounds.ts';

/** Promises of the pages that are counted, and of the documents in their frames. */
declare const readyAtMs: Promise<number>;
declare const paintedAt: Promise<number>;

const pages = {
  '10 gadgets of one app': 'gadgets.html?app=list&count=10',
  'a gadget': 'gadgets.html?app=list&count=1',
  'a floor': 'floor/index.html?app=list&count=1',
  'a bare frame': 'frames.html?file=data.html&count=1',
} as const;

/**
 * Counts the requests of pages until the first data is painted, on a first and on a second visit:
 * all, and how many of them follow one another.
 *
 * @param asked Pages of the bench site, by their names.
 * @param options.pages Further pages that the site then has.
 */
export async function countPages(
  browser: Browser,
  asked: Readonly<Record<string, string>> = pages,
  options: Pick<BenchSiteOptions, 'pages'> = {},
): Promise<readonly Count[]> {
  const port = await freePort();
  const rounds = await openRounds({ port });
  const site = await startBenchSite({ ...options, behind: { port, url: rounds.url } });
  try {
    const counts: Count[] = [];
    for (const [name, path] of Object.entries(asked)) {
      await onPage(browser, async (page) => {
        for (const visit of ['first', 'second']) {
          await rounds.settled(); // what comes after the paint is in the cache of the next visit
          rounds.taken();
          const paintMs = await paintOf(page, `${site.url}/bench/${path}`);
          const before = rounds.taken().filter(({ atMs, requests }) => atMs < paintMs && !requests.every(isByClock));
          const of = `a ${visit} visit to ${name}`;
          const sum = (part: (round: Round) => number) => before.reduce((all, round) => all + part(round), 0);
          counts.push(
            {
              name: `Requests until data is painted, ${of}`,
              value: sum(({ requests }) => requests.length),
              unit: 'requests',
            },
            { name: `POSTs until data is painted, ${of}`, value: sum(({ posts }) => posts), unit: 'requests' },
            { name: `Round trips until data is painted, ${of}`, value: before.length, unit: 'round trips' },
            { name: `Bytes until data is painted, ${of}`, value: sum(({ bytes }) => bytes), unit: 'bytes' },
          );
        }
      });
    }
    return counts;
  } finally {
    rounds.close();
    await site.close();
  }
}

/** Returns true for parts that a page fetches a second after its start, whatever it waits for. */
function isByClock(path: string): boolean {
  return /\/chunks\/(?:announce-states|live-region|stream|text-element)-/.test(path);
}

/** Opens a page and resolves with the time of the first paint of a frame's data. */
export async function paintOf(page: Page, address: string): Promise<number> {
  await page.goto(address);
  await page.evaluate(() => readyAtMs);
  const frames = page.frames().filter((frame) => /\/(?:list\/index|data)\.html/.test(frame.url()));
  return Promise.race(frames.map((frame) => frame.evaluate(() => paintedAt))); // those out of view are not painted
}
