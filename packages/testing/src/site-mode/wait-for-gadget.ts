import type { Locator, Page } from '@playwright/test';
import { inTime } from '../waits.ts';

const leastMs = 1_000;

/** Waits until nothing is missing, looking once each two frames of the page. */
export async function waitUntil(
  page: Page,
  options: { readonly what: string; readonly timeoutMs: number; readonly missing: () => Promise<string> },
): Promise<void> {
  const { what, timeoutMs, missing } = options;
  const endMs = performance.now() + timeoutMs;
  for (;;) {
    const busy = `Waited ${timeoutMs} ms for ${what}: the page or the app is busy.`;
    const left = await inTime(missing(), Math.max(leastMs, endMs - performance.now()), busy);
    if (left === '') return;
    if (performance.now() >= endMs) throw new Error(`Waited ${timeoutMs} ms for ${what}: ${left}.`);
    await page.evaluate(twoFrames);
  }
}

/** State of a gadget's element, such as `ready`; `undefined` until the container has defined it. */
export function stateOf(element: Locator): Promise<string | undefined> {
  return element.evaluate((gadget) => ('state' in gadget ? String(gadget.state) : undefined));
}

/** Compares the heights of an element now and two frames later: of the page and of the app. */
export async function isStill(element: Locator): Promise<boolean> {
  const height = (): Promise<number> => element.evaluate((gadget) => gadget.getBoundingClientRect().height);
  const before = await height();
  const [iframe] = await element.locator('iframe').elementHandles(); // a consent card has no frame
  const app = await iframe?.contentFrame();
  await Promise.all([element.page().evaluate(twoFrames), app?.evaluate(twoFrames)]);
  return before === (await height());
}

/** Ids of the apps on a page, in shadow roots too. */
export async function appsOn(page: Page): Promise<readonly string[]> {
  const gadgets = page.locator('gantry-gadget');
  const ids = await gadgets.evaluateAll((all) => all.map((one) => one.getAttribute('app') ?? ''));
  return [...new Set(ids)];
}

interface DomNode {
  readonly localName: string;
  readonly children?: readonly DomNode[];
  readonly shadowRoots?: readonly DomNode[];
  readonly shadowRootType?: string;
}

/** Returns a sentence about gadgets in closed shadow roots, which Chromium names; else ''. */
export async function hiddenGadgets(page: Page): Promise<string> {
  try {
    const session = await page.context().newCDPSession(page);
    const { root } = await session.send('DOM.getDocument', { depth: -1, pierce: true });
    await session.detach();
    const [host] = closedHosts(root);
    if (host === undefined) return '';
    return ` A gadget is in the closed shadow root of <${host}>, into which no test can look: open it with { mode: 'open' } where the site is tested.`;
  } catch {
    return '';
  }
}

/** Returns the elements with a closed shadow root that has a gadget. */
function closedHosts(node: DomNode, closed?: string): readonly string[] {
  if (closed !== undefined && node.localName.startsWith('gantry-gadget')) return [closed];
  const { children = [], shadowRoots = [], localName } = node;
  const inRoots = shadowRoots.flatMap((root) =>
    closedHosts(root, root.shadowRootType === 'closed' ? localName : closed),
  );
  return [...inRoots, ...children.flatMap((child) => closedHosts(child, closed))];
}

/** Runs in the page. A page that is not drawn has no frames, so a moment is enough there. */
function twoFrames(): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, 100);
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        clearTimeout(timer);
        resolve();
      }),
    );
  });
}
