import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Browser } from '@playwright/test';
import { openTab, type Tab } from './tab.ts';
import type { Picture } from './variants.ts';

interface Clip {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Result of one picture. */
export interface Taken {
  readonly picture: Picture;
  /** Absent if it was taken. */
  readonly failure?: string;
}

const patienceMs = 60_000;
const quietMostMs = 10_000;
const heightPx = 800;
const tallestPx = 8_000;

/**
 * Takes pictures, several at a time, and writes them into a folder.
 *
 * @param options.url Origin of the dev host.
 * @param options.most Pages open at a time.
 * @param options.onTaken Called for each, in the order of completion.
 */
export async function takePictures(
  pictures: readonly Picture[],
  options: {
    readonly browser: Browser;
    readonly url: string;
    readonly folder: string;
    readonly most: number;
    /** Ends it early. */
    readonly signal: AbortSignal;
    readonly onTaken: (taken: Taken) => void;
  },
): Promise<readonly Taken[]> {
  const { browser, url, folder, most, signal, onTaken } = options;
  const left = [...pictures];
  const taken: Taken[] = [];

  async function work(): Promise<void> {
    let tab: Tab | undefined;
    for (let picture = left.shift(); picture && !signal.aborted; picture = left.shift()) {
      let failure: string | undefined;
      try {
        tab ??= await openTab(browser);
        const [outcome] = await inTime(Promise.allSettled([show(tab, picture, url)]));
        if (outcome.status === 'fulfilled') {
          const file = join(folder, picture.file);
          await mkdir(dirname(file), { recursive: true });
          await writeFile(file, outcome.value, { mode: 0o600 });
        } else failure = (outcome.reason as Error).message;
      } catch (error) {
        failure = (error as Error).message;
        await tab?.page.context().close();
        tab = undefined;
      }
      const one = { picture, ...(failure !== undefined && { failure }) };
      taken.push(one);
      onTaken(one);
    }
    await tab?.page.context().close();
  }

  await Promise.all(Array.from({ length: most }, work));
  return pictures.flatMap((picture) => taken.filter((one) => one.picture === picture));
}

async function inTime<Result>(work: Promise<Result>): Promise<Result> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`It does not settle within ${patienceMs / 1_000} s.`)), patienceMs);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function show(tab: Tab, { story, theme, direction, width }: Picture, url: string): Promise<Buffer> {
  const { page } = tab;
  await page.emulateMedia({ colorScheme: theme });
  await page.setViewportSize({ width: width + margin, height: heightPx });
  await page.goto(`${url}/?mount`);
  const params = { story: story.id, props: { theme, direction, width, motion: 'reduce' } };
  await page.evaluate(`window.mount(${JSON.stringify(params)})`);
  await settle(tab);
  const { height, y } = await page.evaluate<Clip>(measure);
  const neededPx = Math.min(Math.ceil(y + height), tallestPx);
  if (neededPx > heightPx) {
    await page.setViewportSize({ width: width + margin, height: neededPx }); // content outside may not be drawn yet
    await settle(tab);
  }
  return page.screenshot({ clip: await page.evaluate<Clip>(measure), fullPage: true });
}

const margin = 80;

/** Waits until a frame's fonts and images are loaded and its animations end. */
const rest = `(async () => {
  await document.fonts.ready;
  const near = [...document.images].filter((image) => image.loading !== 'lazy' || image.complete);
  await Promise.all(near.map((image) => image.decode().catch(() => {})));
  for (const animation of document.getAnimations()) {
    if (animation.effect?.getComputedTiming().endTime === Infinity) animation.cancel();
    else animation.finish();
  }
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
})()`;

const measure = `(() => {
  const { x, y, width, height } = document.querySelector('.story-place').getBoundingClientRect();
  return { x: x + scrollX, y: y + scrollY, width, height: Math.max(1, height) };
})()`;

async function settle(tab: Tab): Promise<void> {
  let before = '';
  for (let round = 0; round < mostRounds; round += 1) {
    await tab.quiet(quietMostMs);
    await Promise.allSettled(tab.page.frames().map((frame) => frame.evaluate(rest)));
    const now = JSON.stringify(await tab.page.evaluate(measure));
    if (now === before) return;
    before = now;
  }
}

const mostRounds = 10;
