import type { Frame } from '@playwright/test';
import { launchBrowser } from './browser-pages.ts';
import type { Report } from './figures/report.ts';
import { takeTurns } from './figures/rounds.ts';

const rounds = 21;
const calls = 300;
const batch = 100;
const ticks = 5;

/** Frames of apps with the SDK, one of which has no leases, and a frame with bare ports. */
declare const osapi: { people: { get(params: object): PromiseLike<unknown> } };
declare const gantry: { state: { get(): Promise<unknown> } };
declare const callComlink: () => Promise<unknown>;
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
    const appFrame = (id: string) =>
      frameOf(() => page.frames().find((frame) => frame.url().includes(`/gantry/apps/${id}/`)), 'osapi');
    const app = await appFrame('bench');
    const crossing = await appFrame('crossing');
    const bare = await frameOf(() => page.frames().find((frame) => frame.name() === 'echo'), 'echoBatch');

    const cachedRead = (frame: Frame) =>
      frame.evaluate(async (count) => {
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
    const comlinkCalls = () =>
      bare.evaluate(async (count) => {
        const start = performance.now();
        for (let i = 0; i < count; i++) await callComlink();
        return ((performance.now() - start) * 1000) / count;
      }, calls);
    const comlink = () => browser.cost(() => inFrame(comlinkCalls(), calls));
    const repeated = () => browser.cost(() => inFrame(cachedRead(app), calls));
    report.compare({
      name: 'Repeated osapi read of 20 people against a call of raw Comlink for the same data',
      ...(await takeTurns({ against: comlink, ours: repeated, again: comlink }, report.rounds(rounds))),
      unit: 'µs',
      goals: { cpu: { most: 0.05 }, wall: { most: 0.05 } },
    });
    report.count({
      name: `Messages of an app for ${calls} repeated reads`,
      value: await crossings(app, () => cachedRead(app)),
      unit: 'messages',
      limit: 0,
    });
    const against = () => browser.cost(() => inFrame(echoes(), calls));
    const ours = () => browser.cost(() => inFrame(cachedRead(crossing), calls));
    report.compare({
      name: 'Cached osapi read of 20 people that crosses, against a minimal port echo of the same data',
      ...(await takeTurns({ against, ours, again: against }, report.rounds(rounds))),
      unit: 'µs',
      goals: { cpu: { most: 1.25 }, wall: { most: 1.25 } },
    });

    const oneTick = () =>
      crossing.evaluate(
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
      name: '100 calls of one tick that cross, against a bare message with 100 ids and their answers, each',
      ...(await takeTurns({ against: message, ours: tick, again: message }, report.rounds(rounds))),
      unit: 'µs',
      goals: { cpu: { most: 1.5 }, wall: { most: 1.5 } },
    });
  } finally {
    await browser.close();
  }
}

/** Resolves with the messages of calls that an app's frame posts during work. */
async function crossings(frame: Frame, work: () => Promise<unknown>): Promise<number> {
  await frame.evaluate(async () => {
    await gantry.state.get(); // what the page says lets the next thousand reads stay
    const { postMessage } = MessagePort.prototype;
    Object.assign(globalThis, { crossed: 0 });
    MessagePort.prototype.postMessage = function (message: { path?: string[] }, ...rest: never[]) {
      if (message.path?.[0] === 'request')
        Object.assign(globalThis, { crossed: Reflect.get(globalThis, 'crossed') + 1 });
      postMessage.call(this, message, ...rest);
    };
  });
  await work();
  return frame.evaluate(() => Reflect.get(globalThis, 'crossed'));
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
