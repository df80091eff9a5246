import type { Frame } from '@playwright/test';
import { launchBrowser } from './browser-pages.ts';
import type { Report } from './figures/report.ts';
import { takeTurns } from './figures/rounds.ts';

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
 * frame, and of CPU in all processes of the browser.
 */
export async function measureBrowser(url: string, report: Report): Promise<void> {
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
    const against = () => browser.cost(() => inFrame(echoes(), calls));
    const ours = () => browser.cost(() => inFrame(cachedRead(), calls));
    report.compare({
      name: 'Cached osapi read of 20 people against a minimal port echo of the same data',
      ...(await takeTurns({ against, ours, again: against }, report.rounds(rounds))),
      unit: 'µs',
      goals: { cpu: { most: 1.25 }, wall: { most: 1.25 } },
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
    const message = () => browser.cost(() => inFrame(batches(), ticks * batch));
    const tick = () => browser.cost(() => inFrame(oneTick(), ticks * batch));
    report.compare({
      name: '100 calls of one tick against a bare message with 100 ids and their answers, each',
      ...(await takeTurns({ against: message, ours: tick, again: message }, report.rounds(rounds))),
      unit: 'µs',
      goals: { cpu: { most: 1.5 }, wall: { most: 1.5 } },
    });
  } finally {
    await browser.close();
  }
}

async function inFrame(
  perCall: Promise<number>,
  per: number,
): Promise<{ readonly wall: number; readonly per: number }> {
  return { wall: await perCall, per };
}

async function frameOf(find: () => Frame | undefined, global: string): Promise<Frame> {
  for (const start = Date.now(); Date.now() - start < 15_000; ) {
    const frame = find();
    if (frame && (await frame.evaluate((name) => name in globalThis, global).catch(() => false))) return frame;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`No frame with ${global} after 15 seconds.`);
}
