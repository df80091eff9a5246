import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findApps } from '../packages/testing/src/apps.ts';
import { createGadget } from '../packages/testing/src/gadget.ts';
import { startKitServer } from '../packages/testing/src/kit-server.ts';
import { openSite, type SiteOfTest } from '../packages/testing/src/open-site.ts';
import { createWorlds } from '../packages/testing/src/worlds.ts';
import { launchBrowser, onPage } from './browser-pages.ts';
import { centreOf, median } from './figures/interval.ts';
import type { Report } from './figures/report.ts';
import { takeTurns } from './figures/rounds.ts';

declare const readyAtMs: Promise<number>;

const sites = 100;
const mounts = 20;
const page = `<!doctype html><html lang="en"><title>Bench</title><script src="/gantry/osapi.js"></script>
<p>Low tide at seven</p></html>`;

/**
 * Measures a test's site from a prepared world, and a mount up to the app's port. The mount's
 * control is a page with one bare sandboxed frame, a script of the SDK's size and a port. Both run
 * in a new page and again in the same page.
 *
 * @param url Bench site, which has the bare frame.
 */
export async function measureKit(url: string, report: Report): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-bench-kit-'));
  const server = await startKitServer();
  const worlds = createWorlds(folder);
  const browser = await launchBrowser();
  try {
    await mkdir(join(folder, 'bench'));
    await writeFile(join(folder, 'bench/gadget.json'), '{ "name": "Bench", "page": "index.html" }');
    await writeFile(join(folder, 'bench/index.html'), page);
    const apps = await findApps(['bench'], folder);
    const open = (): Promise<SiteOfTest> =>
      openSite({ url: server.url, worlds }, { apps, world: 'friendly', scenario: {}, seed: undefined });

    await (await open()).close(); // prepares the world
    const costs: number[] = [];
    for (let count = 0; count < sites; count++) {
      const start = performance.now();
      const site = await open();
      costs.push(performance.now() - start);
      await site.close();
    }
    const p90 = costs.toSorted((a, b) => a - b)[Math.floor(sites * 0.9)] as number;
    console.log(
      `A fresh site for a test\n  ${median(costs).toFixed(1)} ms, p90 ${p90.toFixed(1)} ms  goal: ≤ 20 ms, p90 ≤ 40 ms`,
    );

    const ours = (isAgain: boolean) => () =>
      onPage(browser, async (target) => {
        const site = await open();
        const remove = server.add(site.lab);
        const owned = createGadget({
          page: target,
          site,
          startedAtMs: performance.now(),
          scenario: {},
          testInfo: { file: '', line: 1, column: 1 },
        });
        if (isAgain) await owned.gadget.mount();
        const start = performance.now();
        await owned.gadget.mount();
        const wall = performance.now() - start;
        owned.close();
        remove();
        await site.close();
        return { wall };
      });
    const bare = (isAgain: boolean) => () =>
      onPage(browser, async (target) => {
        const show = async () => {
          await target.goto(`${url}/bench/frames.html?count=1`);
          await target.evaluate(() => readyAtMs);
        };
        if (isAgain) await show();
        const start = performance.now();
        await show();
        return { wall: performance.now() - start };
      });
    for (const isAgain of [false, true]) {
      const against = bare(isAgain);
      const costs = await takeTurns({ against, ours: ours(isAgain), again: against }, report.rounds(mounts));
      report.compare({
        name: `A mount over one bare sandboxed frame, ${isAgain ? 'again in the same page' : 'each in a new page'}`,
        ...costs,
        unit: 'ms',
      });
      const more = centreOf(costs.ours.map(({ wall }, round) => wall - (costs.against[round]?.wall ?? 0)));
      console.log(
        `  ${more.estimate.toFixed(0)} ms more (${more.low.toFixed(0)}–${more.high.toFixed(0)})  goal: ≤ 150 ms more`,
      );
    }
  } finally {
    await browser.close();
    await worlds.close();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}
