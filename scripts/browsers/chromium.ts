import { chromium, type ElementHandle, type Frame, type Page } from '@playwright/test';
import { idleRenderers } from '../../e2e/idle-renderers.ts';
import { type Browser, startOr, type Tab, viewport } from './browser.ts';

/** Starts Chromium, driven by Playwright. */
export function startChromium(): Promise<Browser> {
  return startOr('Chromium', 'chromium', async () => {
    const executablePath = process.env.GANTRY_CHROMIUM ?? '/usr/bin/chromium';
    // Replaces Playwright's own list, which disables the partitions of storage.
    const args = ['--no-sandbox', `--disable-features=${idleRenderers.join()}`];
    const browser = await chromium.launch({ executablePath, args });
    return {
      name: 'Chromium',
      version: browser.version(),
      openTab: async () => tabOf(await browser.newPage({ viewport })),
      close: () => browser.close(),
    };
  });
}

function tabOf(page: Page): Tab {
  async function inside(frame: string | undefined): Promise<Frame> {
    if (frame === undefined) return page.mainFrame();
    const found = await (await find(page.mainFrame(), frame)).contentFrame();
    if (found === null) throw new Error(`No frame: ${frame}`);
    return found;
  }

  return {
    goTo: async (address) => void (await page.goto(address)),
    setCookie: (cookie) => page.context().addCookies([cookie]),
    read: async (expression, frame) => (await inside(frame)).evaluate(expression),
    click: async (element, frame) => (await find(await inside(frame), element)).click(),
    bringToFront: () => page.bringToFront(),
    press: (key) => page.keyboard.press(key),
    type: (text) => page.keyboard.type(text),
    close: () => page.context().close(),
  };
}

async function find(frame: Frame, expression: string): Promise<ElementHandle> {
  const element = (await frame.evaluateHandle(expression)).asElement();
  if (element === null) throw new Error(`No element: ${expression}`);
  return element as ElementHandle;
}
