import { fileURLToPath } from 'node:url';
import type { CDPSession, Page } from '@playwright/test';
import { build, type Rollup } from 'vite';
import { expect, test } from './hosted.ts';

// A gadget that is removed leaves no node, listener or timer behind, whatever it was doing.

const app = '<!doctype html><html lang="en"><title>App</title><p>Here</p><script src="/gantry/osapi.js"></script>';
const choosy = { name: 'choosy', page: 'index.html', optional: { uses: ['people.get'] } };

test.use({
  apps: {
    calm: { 'index.html': app },
    choosy: { 'index.html': app, 'gadget.json': JSON.stringify(choosy) },
    asks: { 'index.html': app },
    silent: { 'index.html': '<!doctype html><html lang="en"><title>App</title><p>Here</p>' },
    toasts: { 'index.html': `${app}<script>osapi.ui.toast('Hello', { durationMs: 20_000 });</script>` },
  },
  asking: ['asks'],
});

/** A gadget at the moment when it is removed. */
interface Kind {
  readonly app: string;
  readonly style?: string;
  /** Is in its shadow tree then. */
  readonly until?: string;
  readonly acts?: readonly ('stop' | 'open its menu' | 'open its permissions' | 'move' | 'reload')[];
}
const drawn = '.skip'; // the chrome, which is fetched after the app is ready

const kinds: Readonly<Record<string, Kind>> = {
  'was just added': { app: 'calm' },
  'waits for its turn': { app: 'calm', style: 'position: absolute; top: 20000px', until: '.pane.waiting' },
  loads: { app: 'silent', until: '.pane.loading iframe' },
  'is ready': { app: 'calm', until: drawn },
  failed: { app: 'nothing', until: '.card' },
  'was stopped': { app: 'calm', until: drawn, acts: ['stop'] },
  'was reloaded': { app: 'calm', until: drawn, acts: ['reload'] },
  'has its menu open': { app: 'calm', until: drawn, acts: ['open its menu'] },
  'was stopped with its menu open': { app: 'calm', until: drawn, acts: ['open its menu', 'stop'] },
  'has its permissions open': { app: 'choosy', until: drawn, acts: ['open its menu', 'open its permissions'] },
  'was stopped with its permissions open': {
    app: 'choosy',
    until: drawn,
    acts: ['open its menu', 'open its permissions', 'stop'],
  },
  'asks the member': { app: 'asks', until: '.consent' },
  'shows a toast': { app: 'toasts', until: drawn },
  'was moved': { app: 'calm', until: drawn, acts: ['move'] },
  'was moved with its menu open': { app: 'calm', until: drawn, acts: ['open its menu', 'move'] },
};
const times = 6;

/** Adds and removes gadgets. `isKept` is what a naive container would do with each. */
async function comeAndGo(page: Page, kind: Kind, { isKept = false } = {}): Promise<void> {
  await page.evaluate(
    async ({ kind, times, isKept }) => {
      const page = globalThis as typeof globalThis & { roots?: Set<unknown> };
      page.roots ??= new Set();
      for (let turn = 0; turn < times; turn++) {
        const gadget = Object.assign(document.createElement('gantry-gadget'), { app: kind.app, heading: '' });
        gadget.style.cssText = kind.style ?? '';
        const part = (selector: string) => gadget.shadowRoot?.querySelector<HTMLElement>(selector);
        const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
        const until = async (isSo: () => unknown) => {
          while (!isSo()) await frame();
        };
        const acts = {
          async stop() {
            gadget.stop();
            await until(() => part('.card'));
          },
          async reload() {
            gadget.reload();
            await until(() => !part('.skip'));
            await until(() => part('.skip'));
          },
          async 'open its menu'() {
            await until(() => part('.options'));
            const opened = new Promise((resolve) => part('#menu')?.addEventListener('toggle', resolve));
            part('.options')?.click();
            await opened;
          },
          async 'open its permissions'() {
            part('[part~=permissions]')?.click();
            await until(() => document.querySelector('gantry-dialog'));
          },
          async move() {
            document.body.prepend(gadget);
            await until(() => !part('.skip'));
            await until(() => part('.skip'));
          },
        };
        document.body.append(gadget);
        await until(() => !kind.until || part(kind.until));
        for (const act of kind.acts ?? []) await acts[act]();
        gadget.remove();
        if (isKept) {
          page.roots.add(gadget.shadowRoot);
          addEventListener('blur', () => gadget.remove(), { once: true });
          setInterval(() => gadget.remove(), 60_000);
        }
      }
    },
    { kind, times, isKept },
  );
}

type Counts = Readonly<Record<'nodes' | 'listeners' | 'timers' | 'documents' | 'frames', number>>;

async function count(page: Page, cdp: CDPSession): Promise<Counts> {
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  for (let turn = 0; turn < 3; turn++) await cdp.send('HeapProfiler.collectGarbage');
  const { documents, nodes, jsEventListeners: listeners } = await cdp.send('Memory.getDOMCounters');
  const timers = await page.evaluate(() => (globalThis as typeof globalThis & { timers: Set<unknown> }).timers.size);
  return { nodes, listeners, timers, documents, frames: page.frames().length };
}

/** Returns what there is more of, by one or more for each gadget. */
function grown(before: Counts, after: Counts): readonly string[] {
  return Object.keys(before).filter((name) => after[name as keyof Counts] - before[name as keyof Counts] >= times);
}

async function heapOf(cdp: CDPSession): Promise<number> {
  return (await cdp.send('Runtime.getHeapUsage')).usedSize;
}

/** Counts the timers that have yet to fire. In the page, before its own scripts. */
function countTimers(): void {
  const timers = new Set<unknown>();
  const { setTimeout, setInterval, clearTimeout, clearInterval } = globalThis;
  const counted = (id: unknown) => {
    timers.add(id);
    return id;
  };
  const forget = (clear: (id: number) => void) => (id: number) => {
    timers.delete(id);
    clear(id);
  };
  Object.assign(globalThis, {
    timers,
    setTimeout(act: (...args: unknown[]) => void, ms: number, ...args: unknown[]) {
      const run = () => {
        timers.delete(id);
        act(...args);
      };
      const id = counted(setTimeout(run, ms));
      return id;
    },
    setInterval: (act: () => void, ms: number) => counted(setInterval(act, ms)),
    clearTimeout: forget(clearTimeout),
    clearInterval: forget(clearInterval),
  });
}

test('a gadget that is removed leaves nothing behind, whatever it was doing', async ({ show, page }) => {
  test.setTimeout(240_000);
  await page.addInitScript(countTimers);
  const follows = page.waitForRequest('**/gantry/events');
  await show('<gantry-gadget app="calm"></gantry-gadget>');
  const cdp = await page.context().newCDPSession(page);
  await comeAndGo(page, kinds['was stopped'] as Kind);
  await follows; // with the announcements, the last part that comes by itself
  await expect(page.locator('gantry-voice')).toHaveCount(1);
  for (const [name, kind] of Object.entries(kinds)) {
    await test.step(name, async () => {
      await comeAndGo(page, kind); // warm-up: parts of the script, style sheets
      const before = await count(page, cdp);
      await comeAndGo(page, kind);
      // Browsers release frames when idle, and announcements leave after ten seconds.
      const left = async () => grown(before, await count(page, cdp));
      await expect.poll(left, { message: `a gadget that ${name} leaves`, timeout: 90_000 }).toEqual([]);
      await expect(page.locator('gantry-gadget, gantry-dialog, gantry-toasts')).toHaveCount(1);
    });
  }

  // Heap, after so much warm-up. Control: a set of roots, a listener and a timer are counted.
  const ready = kinds['is ready'] as Kind;
  const [before, heapBefore] = [await count(page, cdp), await heapOf(cdp)];
  for (let turn = 0; turn < 5; turn++) await comeAndGo(page, ready);
  await expect.poll(async () => grown(before, await count(page, cdp)), { timeout: 90_000 }).toEqual([]);
  const heapAfter = await heapOf(cdp);
  expect(heapAfter - heapBefore).toBeLessThan(100_000);
  for (let turn = 0; turn < 5; turn++) await comeAndGo(page, ready, { isKept: true });
  expect(grown(before, await count(page, cdp))).toEqual(expect.arrayContaining(['nodes', 'listeners', 'timers']));
  expect((await heapOf(cdp)) - heapAfter).toBeGreaterThan(100_000);
});

test('a page of React 19 in StrictMode leaves nothing of a route behind', async ({ show, page }) => {
  const output = await build({
    root: fileURLToPath(new URL('.', import.meta.url)),
    mode: 'development',
    define: { 'process.env.NODE_ENV': '"development"' }, // StrictMode then mounts twice
    ...{ configFile: false, logLevel: 'warn', resolve: { conditions: ['@gantry/source'] } },
    build: {
      write: false,
      modulePreload: false,
      rolldownOptions: { input: fileURLToPath(new URL('routes.ts', import.meta.url)) },
    },
  });
  const [{ code }] = (output as Rollup.RollupOutput).output;
  await page.route('**/example.js', (route) => route.fulfill({ contentType: 'text/javascript', body: code }));
  await page.addInitScript(countTimers);
  const follows = page.waitForRequest('**/gantry/events');
  await show('<div id="root"></div><script type="module" src="/example.js"></script>');
  const cdp = await page.context().newCDPSession(page);
  const visit = async (isKept = false) => {
    await page.evaluate(
      async ({ times, isKept }) => {
        const page = globalThis as typeof globalThis & { goOn(): void; kept?: unknown[] };
        page.kept ??= [];
        for (let turn = 0; turn < times; turn++) {
          const gadget = () => document.querySelector('gantry-gadget');
          while (!gadget()?.shadowRoot?.querySelector('.skip')) await new Promise(requestAnimationFrame);
          const before = gadget();
          if (isKept) page.kept.push(before);
          page.goOn();
          while (gadget() === before) await new Promise(requestAnimationFrame);
        }
      },
      { times, isKept },
    );
    // The last one is whole, in both counts.
    await expect(page.getByRole('status')).toHaveText(/^[1-9] ready$/);
    await expect(page.getByRole('button', { name: 'Options for calm' })).toBeVisible();
  };
  await visit();
  await follows; // the last part that comes by itself
  const before = await count(page, cdp);
  await visit();
  await expect.poll(async () => grown(before, await count(page, cdp)), { timeout: 90_000 }).toEqual([]);
  await visit(true); // control
  expect(grown(before, await count(page, cdp))).toContain('nodes');
});
