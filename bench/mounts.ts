import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type Browser, chromium } from '@playwright/test';
import { printFigure } from './report.ts';
import { medians } from './rounds.ts';

/** Gadgets on a page, and the rounds that are measured. */
const sizes = [
  { count: 10, rounds: 15 },
  { count: 100, rounds: 7 },
] as const;

/** From a page's script to the moment when every frame has its port, in milliseconds, against bare frames that do the same. */
export async function measureMounts(url: string): Promise<void> {
  const executablePath = process.env.GANTRY_CHROMIUM;
  const browser = await chromium.launch({ args: ['--no-sandbox'], ...(executablePath && { executablePath }) });
  try {
    const sdkBytes = gzipSync(await readFile(fileURLToPath(import.meta.resolve('@gantry/osapi/osapi.js')))).length;
    for (const { count, rounds } of sizes) {
      const gadgets = () => readyAfter(browser, `${url}/bench/gadgets.html?count=${count}`);
      const frames = () => readyAfter(browser, `${url}/bench/frames.html?count=${count}`);
      const [ours, against, again] = (await medians([gadgets, frames, frames], rounds)) as [number, number, number];
      printFigure({
        name: `${count} gadgets ready against ${count} bare sandboxed frames with a script of the SDK's size (${sdkBytes} bytes gzipped) and a port`,
        ours,
        against,
        again,
        unit: 'ms',
        goal: '≤ 1.15 ×',
      });
    }
  } finally {
    await browser.close();
  }
}

/** One page in a profile of its own, with the files of its second visit: what a member meets. */
async function readyAfter(browser: Browser, address: string): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1000, height: 800 } });
  try {
    const page = await context.newPage();
    await page.goto(address);
    await page.waitForFunction('globalThis.readyMs > 0');
    await page.goto(address);
    const ready = await page.waitForFunction('globalThis.readyMs');
    return (await ready.jsonValue()) as number;
  } finally {
    await context.close();
  }
}
