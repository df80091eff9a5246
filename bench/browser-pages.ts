import { type Browser, chromium, type Page } from '@playwright/test';
import { childrenRunning, cpuBetween, readCpu } from './figures/process-cpu.ts';
import type { Cost } from './figures/rounds.ts';

/** A browser whose processor time can be read: that of all its processes. */
export interface MeasuredBrowser extends Browser {
  /** Runs work that resolves with the time it took, and reads the CPU time meanwhile. */
  cost(work: () => Promise<{ readonly wall: number; readonly per?: number }>): Promise<Cost>;
}

export async function launchBrowser(): Promise<MeasuredBrowser> {
  const executablePath = process.env.GANTRY_CHROMIUM;
  const before = childrenRunning(/chrom/);
  const browser = await chromium.launch({ args: ['--no-sandbox'], ...(executablePath && { executablePath }) });
  const [id = 0] = childrenRunning(/chrom/).filter((one) => !before.includes(one));
  return Object.assign(browser, {
    async cost(work: Parameters<MeasuredBrowser['cost']>[0]) {
      const start = readCpu(id);
      const { wall, per = 1 } = await work();
      const cpu = cpuBetween(start, readCpu(id));
      return { wall, cpu: cpu && cpu / per };
    },
  });
}

/** Measures on a page in a profile of its own. */
export async function onPage<T>(browser: Browser, measure: (page: Page) => Promise<T>): Promise<T> {
  const context = await browser.newContext({ viewport: { width: 1000, height: 800 } });
  try {
    return await measure(await context.newPage());
  } finally {
    await context.close();
  }
}
