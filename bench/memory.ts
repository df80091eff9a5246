import { connect, type Socket } from 'node:net';
import type { Page } from '@playwright/test';
import { launchBrowser, onPage } from './browser-pages.ts';
import { countedRequests, instanceOf } from './counts/requests.ts';
import type { Report } from './figures/report.ts';
import { startMeasuredSite } from './measured-site.ts';

declare const readyAtMs: Promise<number>;

const requests = Number(process.env.BENCH_REQUESTS ?? 200_000);
const samples = 10;
const perTurn = 1_000;
const streams = 1_000;
const members = 40; // a member has few streams
const mib = 2 ** 20;

/** Memory of a server over many requests and with many listeners, and of a page with many gadgets. */
export async function measureMemory(url: string, report: Report): Promise<void> {
  await measureRequests(report);
  await measureStreams(report);
  const browser = await launchBrowser();
  try {
    const heaps: number[] = [];
    for (const path of ['gadgets.html', 'frames.html'])
      heaps.push(await onPage(browser, (page) => heapOf(page, `${url}/bench/${path}?count=100`)));
    const [ours = 0, against = 0] = heaps;
    report.count({
      name: 'Heap of a page with 100 gadgets over one with 100 bare frames, after collection',
      value: Math.round((ours - against) / 1_000),
      unit: 'kB',
    });
  } finally {
    await browser.close();
  }
}

/** Sends each kind of request by turns and prints the server's memory, collected, as it goes. */
async function measureRequests(report: Report): Promise<void> {
  const site = await startMeasuredSite();
  try {
    const kinds = await countedRequests(site, site.agent);
    const sample = async (sent: number) => {
      const { rss, heapUsed, external } = await site.memory();
      const [all, heap, outside] = [rss, heapUsed, external].map((bytes) => (bytes / mib).toFixed(1));
      console.log(`  ${sent} requests: ${all} MiB resident, heap ${heap}, external ${outside}`);
      return { rss, heapUsed };
    };
    console.log('Memory of a server, collected, over mixed requests');
    let half = await sample(0);
    for (let sent = 0; sent < requests; ) {
      for (const { prepare, status } of kinds) {
        const prepared = [];
        while (prepared.length < perTurn) prepared.push(await prepare());
        await site.cost(prepared, status);
        sent += perTurn;
        if (sent % (requests / samples) !== 0) continue;
        const now = await sample(sent);
        if (sent === requests / 2) half = now;
        if (sent < requests) continue;
        const name = `Growth of a server over the second ${requests / 2} of ${requests} mixed requests`;
        report.count({ name: `${name}, heap`, value: Math.round((now.heapUsed - half.heapUsed) / 1_000), unit: 'kB' });
        report.count({ name: `${name}, resident`, value: Math.round((now.rss - half.rss) / 1_000), unit: 'kB' });
      }
    }
  } finally {
    await site.close();
  }
}

/** Opens event streams and reports the server's memory for each. */
async function measureStreams(report: Report): Promise<void> {
  const site = await startMeasuredSite();
  const open: Socket[] = [];
  try {
    const before = await site.memory();
    const { hostname, port, host } = new URL(site.url);
    for (let count = 0; count < streams; count++) {
      const viewer = String(1 + (count % members));
      const { instance, token } = await instanceOf(site, site.agent, { viewer });
      const body = JSON.stringify({ tokens: { [instance]: token } });
      const socket = connect(Number(port), hostname);
      open.push(socket);
      socket.write(
        `POST /gantry/events HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${site.url}\r\nViewer: ${viewer}\r\nGantry-Container: 1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
      const first = await new Promise<string>((resolve) => socket.once('data', (chunk) => resolve(String(chunk))));
      if (!first.startsWith('HTTP/1.1 200')) throw new Error(first);
    }
    const after = await site.memory();
    const each = (bytes: number) => Math.round(bytes / streams);
    report.count({
      name: `Resident memory of each of ${streams} event streams`,
      value: each(after.rss - before.rss),
      unit: 'bytes',
    });
    report.count({
      name: `Heap of each of ${streams} event streams`,
      value: each(after.heapUsed - before.heapUsed),
      unit: 'bytes',
    });
  } finally {
    for (const socket of open) socket.destroy();
    await site.close();
  }
}

/** Returns the bytes in use on the heap of a page, without the documents in its frames. */
async function heapOf(page: Page, address: string): Promise<number> {
  await page.goto(address);
  await page.evaluate(() => readyAtMs);
  await page.waitForTimeout(5_000); // what comes after the first paint
  const cdp = await page.context().newCDPSession(page);
  for (let turn = 0; turn < 3; turn++) await cdp.send('HeapProfiler.collectGarbage');
  return (await cdp.send('Runtime.getHeapUsage')).usedSize;
}
