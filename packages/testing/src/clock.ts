import type { Clock, Lab } from '@gantry/lab';
import type { ClockState } from '@gantry/lab/jumping-clock';
import type { Browser, BrowserContext, Page } from '@playwright/test';
import type { KitPage } from './kit-protocol.ts';
import type { TestClock } from './types.ts';

declare const gantryKit: KitPage | undefined;

const units = { ms: 1, s: 1_000, min: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Makes the clock of a test. All pages of the lab follow it; later pages load with its time. */
export function createTestClock(options: {
  readonly lab: Pick<Lab, 'name' | 'clock'>;
  /** Pages that may show the lab. */
  readonly pages: () => readonly Page[];
}): TestClock {
  const { lab, pages } = options;
  const { clock } = lab;

  async function follow(change: (clock: Clock) => void): Promise<void> {
    change(clock);
    await clock.pause(0); // after the site's timers that became due
    const time = { lab: lab.name, clock: clock.state };
    await Promise.all(pages().map((page) => setTime(page, time)));
  }

  return {
    now: clock.now,
    get isStopped() {
      return clock.isStopped;
    },
    jump: (by) => follow(({ jump }) => jump(millisecondsOf(by))),
    stop: (at) => follow(({ stop }) => stop(at === undefined ? undefined : instantOf(at))),
    start: () => follow(({ start }) => start()),
  };
}

/** Returns the pages of a browser that show an address of the kit. */
export function pagesAt(
  url: string,
  { browser, context }: { readonly browser: Browser; readonly context: BrowserContext },
): readonly Page[] {
  const contexts = new Set([context, ...browser.contexts()]); // a persistent context is not listed by its browser
  return [...contexts].flatMap((one) => one.pages()).filter((page) => page.url().startsWith(`${url}/`));
}

async function setTime(page: Page, time: { readonly lab: string; readonly clock: ClockState }): Promise<void> {
  try {
    await page.evaluate(async (request) => {
      if (typeof gantryKit === 'object') await gantryKit.setClock(request);
    }, time);
  } catch (error) {
    // A page that was closed or is loading meanwhile gets the time with its next mount.
    const isGone = page.isClosed() || /context was destroyed|has been closed/.test(String(error));
    if (!isGone) throw error;
  }
}

/** Reads `'30 s'`, `'5 min'`, or milliseconds. @throws RangeError for anything else. */
export function millisecondsOf(duration: number | string): number {
  if (typeof duration === 'number') return duration;
  const [, amount, unit] = /^(\d+(?:\.\d+)?) ?(ms|s|min|h|d)$/.exec(duration) ?? [];
  if (amount === undefined) {
    throw new RangeError(`A duration is milliseconds, or a text such as '30 s', '5 min', '2 h' or '1 d': ${duration}`);
  }
  return Math.round(Number(amount) * units[unit as keyof typeof units]);
}

/** @throws RangeError for a text that names no instant. */
function instantOf(at: number | string | Date): number {
  const ms = typeof at === 'number' ? at : new Date(at).getTime();
  if (Number.isNaN(ms)) throw new RangeError(`This is no instant: ${String(at)}`);
  return ms;
}
