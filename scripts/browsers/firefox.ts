import { type Browser, startOr, type Tab, viewport } from './browser.ts';
import { loadPuppeteer, type PuppeteerContext, type PuppeteerElement, type PuppeteerFrame } from './drivers.ts';

/** Starts Debian's Firefox, driven by puppeteer-core over WebDriver BiDi. */
export function startFirefox(home: string): Promise<Browser> {
  return startOr('Firefox', 'firefox-esr', async () => {
    const puppeteer = await loadPuppeteer();
    const browser = await puppeteer.launch({
      browser: 'firefox',
      executablePath: '/usr/bin/firefox-esr',
      headless: true,
      env: { ...process.env, HOME: home, LANG: 'en_US.UTF-8' }, // it refuses a home of another user
    });
    const [, version = ''] = (await browser.version()).split('/');
    return {
      name: 'Firefox',
      version,
      openTab: async () => openTab(await browser.createBrowserContext()),
      close: () => browser.close(),
    };
  });
}

async function openTab(context: PuppeteerContext): Promise<Tab> {
  const page = await context.newPage();
  await page.setViewport(viewport);

  async function inside(frame: string | undefined): Promise<PuppeteerFrame> {
    if (frame === undefined) return page.mainFrame();
    const found = await (await find(page.mainFrame(), frame)).contentFrame();
    if (found === null) throw new Error(`No frame: ${frame}`);
    return found;
  }

  return {
    goTo: async (address) => void (await page.goto(address)),
    setCookie: ({ url, ...cookie }) => context.setCookie({ ...cookie, domain: new URL(url).hostname }),
    read: async (expression, frame) => (await inside(frame)).evaluate(expression),
    click: async (element, frame) => (await find(await inside(frame), element)).click(),
    bringToFront: () => page.bringToFront(),
    press: (key) => page.keyboard.press(key),
    type: (text) => page.keyboard.type(text),
    close: () => context.close(),
  };
}

async function find(frame: PuppeteerFrame, expression: string): Promise<PuppeteerElement> {
  const element = (await frame.evaluateHandle(expression)).asElement();
  if (element === null) throw new Error(`No element: ${expression}`);
  return element;
}
