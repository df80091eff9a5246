import type { Browser, Page } from '@playwright/test';
import { onPage } from '../browser-pages.ts';
import type { Count } from '../figures/report.ts';

/** Timers of one document: those that fired, and those that were set. */
interface Timers {
  readonly fired: number;
  readonly set: number;
}
declare const timers: Timers;
declare const readyAtMs: Promise<number>;

const heartbeats = 3;
const heartbeatMs = 5_000;
const settleMs = 15_000; // announcements leave after ten seconds

/** Counts what wakes a page with ten gadgets that do nothing, and their documents, in a minute. */
export async function countIdle(browser: Browser, address: string): Promise<readonly Count[]> {
  return onPage(browser, async (page) => {
    await page.addInitScript(countTimers);
    await page.goto(address);
    await page.evaluate(() => readyAtMs);
    await page.waitForTimeout(settleMs);
    const before = await read(page);
    await page.waitForTimeout(heartbeats * heartbeatMs);
    const after = await read(page);
    const perMinute = (value: (timers: Timers) => number, of: keyof typeof after) =>
      ((value(after[of]) - value(before[of])) * 60_000) / (heartbeats * heartbeatMs);
    return [
      {
        name: 'Timers that fire in an idle page with 10 gadgets',
        value: perMinute(({ fired }) => fired, 'page'),
        unit: 'a minute',
      },
      {
        name: 'Timers set by an idle page with 10 gadgets',
        value: perMinute(({ set }) => set, 'page'),
        unit: 'a minute',
      },
      {
        name: 'Timers that fire in 10 idle gadgets',
        value: perMinute(({ fired }) => fired, 'frames'),
        unit: 'a minute',
      },
    ];
  });
}

async function read(page: Page): Promise<Readonly<Record<'page' | 'frames', Timers>>> {
  const all = await Promise.all(page.frames().map((frame) => frame.evaluate(() => ({ ...timers }))));
  const [own, ...ofFrames] = all as [Timers, ...Timers[]];
  const sum = (key: keyof Timers) => ofFrames.reduce((total, one) => total + one[key], 0);
  return { page: own, frames: { fired: sum('fired'), set: sum('set') } };
}

/** Counts timers. In each document, before its own scripts. */
function countTimers(): void {
  const counts = { fired: 0, set: 0 };
  const { setTimeout, setInterval, requestAnimationFrame } = globalThis;
  const counted = (act: unknown, args: readonly unknown[]) => () => {
    counts.fired += 1;
    if (typeof act === 'function') act(...args);
  };
  Object.assign(globalThis, {
    timers: counts,
    setTimeout(act: unknown, ms?: number, ...args: unknown[]) {
      counts.set += 1;
      return setTimeout(counted(act, args), ms);
    },
    setInterval(act: unknown, ms?: number, ...args: unknown[]) {
      counts.set += 1;
      return setInterval(counted(act, args), ms);
    },
    requestAnimationFrame(act: FrameRequestCallback) {
      counts.set += 1;
      return requestAnimationFrame((now) => {
        counts.fired += 1;
        act(now);
      });
    },
  });
}
