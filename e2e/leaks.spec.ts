import type { CDPSession, Page } from '@playwright/test';
import { expect, test } from './hosted.ts';

// Memory after gadgets come and go.

const app = '<!doctype html><html lang="en"><title>App</title><p>Here</p><script src="/gantry/osapi.js"></script>';

test.use({ apps: { calm: { 'index.html': app } } });

interface Counted {
  readonly documents: number;
  readonly nodes: number;
  readonly jsEventListeners: number;
  readonly heapBytes: number;
  readonly frames: number;
}

/** Mounts gadgets and removes them again; `isKept` retains the removed ones, as a leak would. */
async function comeAndGo(page: Page, times: number, isKept = false): Promise<void> {
  await page.evaluate(
    async ({ times, isKept }) => {
      const page = globalThis as { kept?: Element[] };
      page.kept ??= [];
      for (let turn = 0; turn < times; turn++) {
        const gadget = Object.assign(document.createElement('gantry-gadget'), { app: 'calm', heading: '' });
        const ready = new Promise((resolve) => gadget.addEventListener('gantry-ready', resolve, { once: true }));
        document.body.append(gadget);
        await ready;
        gadget.remove();
        if (isKept) page.kept.push(gadget);
      }
    },
    { times, isKept },
  );
}

async function count(page: Page, cdp: CDPSession): Promise<Counted> {
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  for (let turn = 0; turn < 3; turn++) await cdp.send('HeapProfiler.collectGarbage');
  const { documents, nodes, jsEventListeners } = await cdp.send('Memory.getDOMCounters');
  const { usedSize } = await cdp.send('Runtime.getHeapUsage');
  return { documents, nodes, jsEventListeners, heapBytes: usedSize, frames: page.frames().length };
}

test('50 gadgets that came and went leave heap, listeners, nodes and frames where they were', async ({
  show,
  page,
}) => {
  test.setTimeout(120_000);
  await show('');
  const cdp = await page.context().newCDPSession(page);
  await comeAndGo(page, 20); // warm-up: parts of the script, style sheets, the stream of events
  const before = await count(page, cdp);
  await comeAndGo(page, 50);
  let after = await count(page, cdp);
  await expect
    .poll(
      async () => {
        after = await count(page, cdp); // browsers release frames when idle
        return [
          after.frames,
          after.documents - before.documents < 10,
          after.jsEventListeners - before.jsEventListeners < 25,
        ];
      },
      { timeout: 20_000 },
    )
    .toEqual([1, true, true]);
  expect(after.nodes - before.nodes).toBeLessThan(100); // two of each gadget would be seen
  expect(after.heapBytes - before.heapBytes).toBeLessThan(100_000);

  await comeAndGo(page, 50, true); // control: what is kept is counted
  const kept = await count(page, cdp);
  expect(kept.nodes - after.nodes).toBeGreaterThan(500);
  expect(kept.heapBytes - after.heapBytes).toBeGreaterThan(100_000);
});
