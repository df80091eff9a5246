import { setTimeout as pause } from 'node:timers/promises';
import type { KitPage } from './kit-protocol.ts';
import type { Gadget, Network } from './types.ts';

declare const gantryKit: KitPage;

const callLimitMs = 2_000;

/** Makes the switch of the network of a gadget's page. */
export function createNetwork(gadget: Gadget): Network {
  const set = (isOnline: boolean): Promise<void> =>
    gadget.page.evaluate((isOnline) => {
      if (typeof gantryKit !== 'object') throw new Error('Mount a gadget before its network goes away.');
      gantryKit.setOnline(isOnline);
    }, isOnline);
  const goOffline = (): Promise<void> => set(false);
  const goOnline = (): Promise<void> => set(true);
  return {
    of: (other) => createNetwork(other),
    goOffline,
    goOnline,
    async offline(work, { optional = false } = {}) {
      const isOpen = gadget.calls.some(({ isSettled }) => !isSettled);
      const before = gadget.record.at(-1)?.number ?? 0;
      await goOffline();
      try {
        const result = await work();
        if (optional || isOpen || (await hasCalled(gadget, before))) return result;
      } finally {
        await goOnline();
      }
      throw new Error(
        `gantry.network.offline() met no call of ${gadget.app}. Remove it, or allow that with { optional: true }.`,
      );
    },
  };
}

/** Returns whether a call came after an entry of the record: one may be on its way to the page. */
async function hasCalled(gadget: Gadget, before: number): Promise<boolean> {
  const isMade = (): boolean => gadget.record.some(({ kind, number }) => kind === 'call' && number > before);
  for (const endMs = performance.now() + callLimitMs; performance.now() < endMs; await pause(25)) {
    await gadget.context(); // this updates the record
    if (isMade()) return true;
  }
  return false;
}
