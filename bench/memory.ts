import { connect, type Socket } from 'node:net';
import type { Page } from '@playwright/test';
import { launchBrowser, onPage } from './browser-pages.ts';
import { countedRequests, instanceOf } from './counts/requests.ts';
import type { Report } from './figures/report.ts';
import { startMeasuredSite } from './measured-site.ts';

declare const readyAtMs: Promise<number>;

const usualTurns = 34; // 204,000 requests
const perTurn = 1_000; // of each kind
const streams = 1_000;
const members = 40; // a member has few streams
const mib = 2 ** 20;

/** Measures memory: a page with many gadgets, a server with many listeners, and many requests. */
export async function measureMemory(url: string, report: Report): Promise<void> {
  const browser = await launchBrowser();
  try {
    const heaps: number[] = [];
    for (const path of ['gadgets.html', 'frames.html'])
      heaps.push(await onPage(browser, (page) => heapOf(page, `${url}/bench/${path}?count=100`)));
    const [ours = 0, against = 0] = heaps;
    report.count({
      name: 'Heap of a page with 100 gadgets over one with 100 bare frames, after collection',
      value: inKb(ours - against),
      unit: 'kB',
    });
  } finally {
    await browser.close();
  }
  await measureStreams(report);
  await measureRequests(report);
}

/** Sends each kind of request by turns and prints the server's memory, collected, as it goes. */
async function measureRequests(report: Report): Promise<void> {
  const site = await startMeasuredSite();
  try {
    const kinds = await countedRequests(site, site.agent);
    const turns = report.rounds(usualTurns);
    const samples: NodeJS.MemoryUsage[] = [];
    console.log('Memory of a server, collected, over mixed requests');
    for (let turn = 0; turn <= turns; turn++) {
      const used = await site.memory();
      samples.push(used);
      const [rss, heap, external] = [used.rss, used.heapUsed, used.external].map((bytes) => (bytes / mib).toFixed(1));
      console.log(
        `  ${turn * perTurn * kinds.length} requests: ${rss} MiB resident, heap ${heap}, external ${external}`,
      );
      if (turn === turns) break;
      for (const { prepare, status } of kinds) {
        const prepared = [];
        while (prepared.length < perTurn) prepared.push(await prepare());
        await site.cost(prepared, status);
      }
    }
    const [half, last] = [samples[turns >> 1], samples[turns]] as [NodeJS.MemoryUsage, NodeJS.MemoryUsage];
    const name = `of a server over the second half of ${turns * perTurn * kinds.length} mixed requests`;
    report.count({ name: `Growth of the heap ${name}`, value: inKb(last.heapUsed - half.heapUsed), unit: 'kB' });
    report.count({ name: `Growth of resident memory ${name}`, value: inKb(last.rss - half.rss), unit: 'kB' });
  } finally {
    await site.close();
  }
}

/** Opens event streams and reports the server's memory for each. */
async function measureStreams(report: Report): Promise<void> {
  const site = await startMeasuredSite();
  const open: Socket[] = [];
  try {
    const { hostname, port, host } = new URL(site.url);
    const asked: string[] = []; // before, so that only the streams are measured
    while (asked.length < streams) {
      const viewer = String(1 + (asked.length % members));
      const { instance, token, since = '' } = await instanceOf(site, site.agent, { viewer });
      const body = JSON.stringify({ tokens: { [instance]: token }, since: [since] });
      asked.push(
        `POST /gantry/events HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${site.url}\r\nViewer: ${viewer}\r\nGantry-Container: 1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
    }
    const before = await site.memory();
    for (const request of asked) {
      const socket = connect(Number(port), hostname);
      open.push(socket);
      socket.write(request);
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

function inKb(bytes: number): number {
  return Math.round(bytes / 1_000);
}
