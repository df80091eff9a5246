import type { Frame } from '@playwright/test';
import { launchBrowser } from './browser-pages.ts';
import { printFigure } from './report.ts';
import { medians } from './rounds.ts';

const rounds = 21;
const calls = 300;
const batch = 100;
const ticks = 5;

/** An app's frame: the SDK in one, bare ports in the other. */
declare const osapi: { people: { get(params: object): PromiseLike<unknown> } };
declare const echo: () => Promise<unknown>;
declare const echoBatch: (ids: number[]) => Promise<unknown>;

/**
 * Reads in a sandboxed frame against a port with no other work: microseconds per call, timed in the
 * frame.
 */
export async function measureBrowser(url: string): Promise<void> {
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(`${url}/bench/page.html`);
    const app = await frameOf(
      () => page.frames().find((frame) => frame.url().includes('/gantry/apps/bench/')),
      'osapi',
    );
    const bare = await frameOf(() => page.frames().find((frame) => frame.name() === 'echo'), 'echoBatch');

    const cachedRead = () =>
      app.evaluate(async (count) => {
        const start = performance.now();
        for (let i = 0; i < count; i++) await osapi.people.get({ userId: '@viewer', groupId: '@friends' });
        return ((performance.now() - start) * 1000) / count;
      }, calls);
    const echoes = () =>
      bare.evaluate(async (count) => {
        const start = performance.now();
        for (let i = 0; i < count; i++) await echo();
        return ((performance.now() - start) * 1000) / count;
      }, calls);
    const [ours, against, again] = (await medians([cachedRead, echoes, echoes], rounds)) as [number, number, number];
    printFigure({
      name: 'Cached osapi read of 20 people against a minimal port echo of the same data',
      ours,
      against,
      again,
      unit: 'µs',
      goal: '≤ 1.25 ×',
    });

    const oneTick = () =>
      app.evaluate(
        async ({ ticks, size }) => {
          const start = performance.now();
          for (let tick = 0; tick < ticks; tick++) {
            await Promise.all(
              Array.from({ length: size }, (_, i) => osapi.people.get({ userId: String(2 + (i % 20)) })),
            );
          }
          return ((performance.now() - start) * 1000) / (ticks * size);
        },
        { ticks, size: batch },
      );
    const batches = () =>
      bare.evaluate(
        async ({ ticks, size }) => {
          const start = performance.now();
          for (let tick = 0; tick < ticks; tick++) await echoBatch(Array.from({ length: size }, (_, i) => i));
          return ((performance.now() - start) * 1000) / (ticks * size);
        },
        { ticks, size: batch },
      );
    const [tick, message, messageAgain] = (await medians([oneTick, batches, batches], rounds)) as [
      number,
      number,
      number,
    ];
    printFigure({
      name: '100 calls of one tick against a bare message with 100 ids and their answers, each',
      ours: tick,
      against: message,
      again: messageAgain,
      unit: 'µs',
      goal: '≤ 2 ×',
    });
  } finally {
    await browser.close();
  }
}

async function frameOf(find: () => Frame | undefined, global: string): Promise<Frame> {
  for (const start = Date.now(); Date.now() - start < 15_000; ) {
    const frame = find();
    if (frame && (await frame.evaluate((name) => name in globalThis, global).catch(() => false))) return frame;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`No frame with ${global} after 15 seconds.`);
}
