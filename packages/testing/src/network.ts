import type { Page } from '@playwright/test';
import type { KitPage } from './kit-protocol.ts';
import type { Network } from './types.ts';

declare const gantryKit: KitPage;

/** Makes the switch of a page's network. */
export function createNetwork(page: Page): Network {
  const set = (isOnline: boolean): Promise<void> =>
    page.evaluate((asked) => {
      if (typeof gantryKit !== 'object') throw new Error('Mount a gadget before its network goes away.');
      gantryKit.setOnline(asked);
    }, isOnline);
  const goOffline = (): Promise<void> => set(false);
  const goOnline = (): Promise<void> => set(true);
  return {
    of: (gadget) => createNetwork(gadget.page),
    goOffline,
    goOnline,
    async offline(work) {
      await goOffline();
      try {
        return await work();
      } finally {
        await goOnline();
      }
    },
  };
}
