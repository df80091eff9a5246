import { rm } from 'node:fs/promises';
import { test as kit, type SiteMember } from '@gantry/testing/site';
import type { Page } from '@playwright/test';
import { copyDemoData, type Demo, startDemo } from './demo.ts';

/** The demo community, running on a port and a data folder of its own. */
export interface RunningDemo extends Pick<Demo, 'url' | 'output'> {
  readonly data: string;
}

interface Fixtures {
  /** Opens a page of the demo, signed in as a member; without one as a first-time visitor. */
  readonly visit: (path: string, member?: string) => Promise<Page>;
}

export const test = kit.extend<Fixtures, { demo: RunningDemo }>({
  // A tall window keeps all gadgets in view: browsers throttle frames outside of it, and clicks
  // wait for their next frame.
  viewport: { width: 1280, height: 2400 },
  demo: [
    async ({ browserName: _ }, use) => {
      const data = await copyDemoData();
      const { url, output, stop } = await startDemo(data);
      await use({ url, data, output });
      await stop();
      await rm(data, { recursive: true, force: true });
    },
    { scope: 'worker', timeout: 180_000 }, // the first of all waits for the demo’s first start
  ],
  runningSite: ({ demo }, use) => use(demo.url),
  members: ({ demo }, use) => use({ first: memberOf(demo, '1'), second: memberOf(demo, '2') }),
  visit: async ({ page, demo }, use) => {
    await use(async (path, member) => {
      if (member !== undefined) await page.context().addCookies([sessionOf(demo, member)]);
      await page.goto(demo.url + path);
      return page;
    });
  },
});
export { expect } from '@gantry/testing/site';

/** The demo's session is a cookie that names the member. */
function sessionOf({ url }: Pick<Demo, 'url'>, value: string) {
  return { name: 'demo_member', value, url };
}

function memberOf(demo: Pick<Demo, 'url'>, id: string): SiteMember {
  return { cookies: [sessionOf(demo, id)] };
}
