import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type Frame, type Page } from '@playwright/test';
import { createServer } from 'vite';
import { type AppSources, reactApp, typescriptApp, vueApp, writeApps } from '../e2e/dev/sample-apps.ts';
import { createGadget } from '../packages/create-gantry/src/index.ts';
import { startDevServer } from '../packages/dev/src/index.ts';

const saves = 50;
const pairs = 20;
const patienceMs = 5_000;
const restMs = 60; // between a person's saves; faster ones are tested elsewhere

/** A kind of source, one of its files, and its visible result. */
interface Kind {
  readonly name: string;
  readonly app: string;
  readonly file: string;
  content(mark: number): string;
  /** Runs in the frame until the save is on the screen. */
  readonly selector: string;
  readonly shows: 'text' | 'colour';
}

const templateMain = readFileSync(
  new URL('../packages/create-gantry/templates/typescript/src/main.ts', import.meta.url),
  'utf8',
);
const replaced = (sources: AppSources, file: string) => (mark: number) =>
  (sources[file] as string).replace('v0', `v${mark}`);

const kinds: readonly Kind[] = [
  {
    name: 'TypeScript',
    app: 'ts',
    file: 'src/text.ts',
    content: replaced(typescriptApp, 'src/text.ts'),
    selector: '#out',
    shows: 'text',
  },
  {
    name: 'React',
    app: 'react',
    file: 'src/app.tsx',
    content: replaced(reactApp, 'src/app.tsx'),
    selector: '#out2',
    shows: 'text',
  },
  {
    name: 'Vue',
    app: 'vue',
    file: 'src/App.vue',
    content: replaced(vueApp, 'src/App.vue'),
    selector: '#out2',
    shows: 'text',
  },
  {
    name: 'Template',
    app: 'board',
    file: 'src/main.ts',
    content: (mark) => `${templateMain}document.title = 'v${mark}';\n`,
    selector: 'title',
    shows: 'text',
  },
  {
    name: 'CSS',
    app: 'ts',
    file: 'src/style.css',
    content: (mark) => `#out { color: rgb(${mark}, 2, 3); }\n`,
    selector: '#out',
    shows: 'colour',
  },
];

/**
 * Times a save to the screen in the dev host, under a site's headers, and in a page of plain Vite.
 */
export async function measureSaves(): Promise<void> {
  const browser = await chromium.launch({
    executablePath: process.env.GANTRY_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  const page = await browser.newPage({ viewport: { width: 900, height: 1600 } });
  try {
    console.log(`\nFrom a save to the screen, ${saves} saves each, milliseconds (goal: median 100, p95 200)`);
    const inHost = await measureHost(page);
    const alone = await measureAlone(page);
    for (const [index, { name }] of kinds.entries()) {
      console.log(`  ${name.padEnd(12)} gadget ${inHost[index]}    Vite alone ${alone[index]}`);
    }
  } finally {
    await browser.close();
  }
}

async function writeAll() {
  const written = await writeApps({ ts: typescriptApp, react: reactApp, vue: vueApp, board: {} });
  createGadget({ folder: written.folders.board, template: 'typescript' });
  return written;
}

async function measureHost(page: Page): Promise<readonly string[]> {
  const { folders, remove } = await writeAll();
  const dev = await startDevServer({ folders: Object.values(folders), port: 0 });
  const figures: string[] = [];
  try {
    for (const kind of kinds) {
      await page.goto(`${dev.url}/?app=${kind.app}`);
      const frame = await frameOf(page, `/gantry/apps/${kind.app}/`);
      figures.push(await measureKind(frame, kind, folders[kind.app as keyof typeof folders]));
    }
    await page.goto(`${dev.url}/?app=ts`);
    console.log(
      `  ${await countLost(await frameOf(page, '/gantry/apps/ts/'), folders.ts)} of ${pairs} pairs of saves 20 ms apart lost`,
    );
  } finally {
    await dev.close();
    await remove();
  }
  return figures;
}

async function measureAlone(page: Page): Promise<readonly string[]> {
  const { folders, remove } = await writeAll();
  const figures: string[] = [];
  try {
    for (const kind of kinds) {
      const root = folders[kind.app as keyof typeof folders];
      const cacheDir = join(root, '.vite');
      const vite = await createServer({ root, cacheDir, logLevel: 'silent', server: { host: '127.0.0.1', port: 0 } });
      await vite.listen();
      await page.goto(String(vite.resolvedUrls?.local[0]));
      figures.push(await measureKind(page.mainFrame(), kind, root));
      await vite.close();
    }
  } finally {
    await remove();
  }
  return figures;
}

async function frameOf(page: Page, path: string): Promise<Frame> {
  const find = () => page.frames().find((frame) => frame.url().includes(path));
  for (;;) {
    const frame = find();
    if (frame) return frame;
    await page.waitForEvent('framenavigated');
  }
}

async function measureKind(frame: Frame, { file, content, selector, shows }: Kind, folder: string): Promise<string> {
  await frame.waitForSelector(selector, { state: 'attached' });
  await pause(1_500); // newly prepared packages have reloaded the page
  const times: number[] = [];
  for (let mark = 1; mark <= saves; mark += 1) {
    const expected = shows === 'text' ? `v${mark}` : `rgb(${mark}, 2, 3)`;
    const onScreenAt = frame.evaluate(onScreen, { selector, shows, expected });
    await frame.evaluate(() => 0); // the frame has begun to look
    const savedAtMs = Date.now();
    await writeFile(join(folder, file), content(mark));
    const shownAtMs = await Promise.race([onScreenAt.catch(() => undefined), pause(patienceMs)]);
    if (shownAtMs === undefined) throw new Error(`Save ${mark} of ${file} did not reach the screen.`);
    times.push(shownAtMs - savedAtMs);
    await pause(restMs);
  }
  times.sort((one, other) => one - other);
  return `median ${times[saves >> 1]}, p95 ${times[Math.ceil(saves * 0.95) - 1]}, most ${times.at(-1)}`;
}

/** Saves twice, as a formatter does, and counts how often the first text stays. */
async function countLost(frame: Frame, folder: string): Promise<number> {
  let lost = 0;
  await frame.waitForSelector('#out');
  await pause(1_500);
  for (let pair = 1; pair <= pairs; pair += 1) {
    const save = (word: string) => writeFile(join(folder, 'src/text.ts'), `export const text = '${word}-${pair}';\n`);
    await save('first');
    await pause(20);
    await save('second');
    const onScreenAt = frame.evaluate(onScreen, { selector: '#out', shows: 'text', expected: `second-${pair}` });
    lost += await Promise.race([onScreenAt.then(() => 0), pause(2_000).then(() => 1)]);
  }
  return lost;
}

/** Resolves with the time of the first animation frame that shows the wanted text. */
function onScreen(options: {
  readonly selector: string;
  readonly shows: string;
  readonly expected: string;
}): Promise<number> {
  const { selector, shows, expected } = options;
  return new Promise((resolve) => {
    const look = (): void => {
      const element = document.querySelector(selector) as HTMLElement;
      const now = shows === 'text' ? element?.textContent?.split(' ')[0] : getComputedStyle(element).color;
      if (now === expected) resolve(Date.now());
      else requestAnimationFrame(look);
    };
    look();
  });
}

function pause(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), ms));
}
