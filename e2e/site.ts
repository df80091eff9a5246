import { rm } from 'node:fs/promises';
import { test as base, expect, type FrameLocator, type Page, type Request } from '@playwright/test';
import { copyDemoData, type Demo, startDemo } from './demo.ts';

/** The demo community, running on a port and a data folder of its own. */
export interface Site extends Pick<Demo, 'url' | 'output'> {
  readonly data: string;
}

interface Fixtures {
  /** Opens a page of the site, signed in as a member; `undefined` opens it as a first-time visitor. */
  readonly visit: (path: string, member?: string) => Promise<Page>;
  /** Waits until no call of the page is on its way. */
  readonly quiet: () => Promise<void>;
}

export const test = base.extend<Fixtures, { site: Site }>({
  // All gadgets in view: browsers slow down frames that are not, and clicks wait for their next frame.
  viewport: { width: 1280, height: 2400 },
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures that are used from this pattern
    async ({}, use) => {
      const data = await copyDemoData();
      const { url, output, stop } = await startDemo(data);
      await use({ url, data, output });
      await stop();
      await rm(data, { recursive: true, force: true });
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  quiet: async ({ page }, use) => {
    const underWay = new Set<Request>();
    // All but the stream of what others change, which is always on its way.
    const isCall = (request: Request) => request.method() === 'POST' && !request.url().endsWith('/gantry/events');
    page.on('request', (request) => isCall(request) && underWay.add(request));
    page.on('requestfinished', (request) => underWay.delete(request));
    page.on('requestfailed', (request) => underWay.delete(request));
    await use(() => expect.poll(() => underWay.size).toBe(0));
  },
  visit: async ({ page, context, site }, use) => {
    await use(async (path, member) => {
      if (member !== undefined) await context.addCookies([{ name: 'demo_member', value: member, url: site.url }]);
      await page.goto(site.url + path);
      return page;
    });
  },
});
export { expect };

/** The document inside a gadget's frame. */
export function gadget(page: Page, app: string): FrameLocator {
  return page.frameLocator(`gantry-gadget[app="${app}"] iframe`);
}
