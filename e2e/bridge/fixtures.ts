import { test as base, type Frame } from '@playwright/test';
import type { MountOptions } from './host-page.ts';
import { type BridgeServer, startBridgeServer } from './server.ts';

interface Fixtures {
  /** Opens the container's page with one frame in it. */
  readonly open: (options: MountOptions, waitUntil?: 'load' | 'commit') => Promise<Frame>;
}

export const test = base.extend<Fixtures, { server: BridgeServer }>({
  server: [
    async ({ browserName: _ }, use) => {
      const server = await startBridgeServer();
      await use(server);
      server.close();
    },
    { scope: 'worker' },
  ],
  open: async ({ page, server }, use) => {
    await use(async (options, waitUntil = 'load') => {
      await page.goto(server.origin);
      const attached = page.waitForEvent('frameattached');
      await page.evaluate((mountOptions) => window.host.mount(mountOptions), options);
      const frame = await attached;
      await frame.waitForURL((url) => url.href !== 'about:blank', { waitUntil });
      return frame;
    });
  },
});
export { expect } from '@playwright/test';
