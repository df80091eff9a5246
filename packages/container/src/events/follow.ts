import type { Follow } from './followed.ts';

const delayMs = 500; // files of the gadgets themselves come first

/** Fetches the listener once the page has had time to start. */
export const followLater: Follow = (page) => {
  let update = () => {};
  setTimeout(async () => {
    try {
      update = (await import('./stream.ts')).followChanges(page);
    } catch {
      // offline, or the site was updated: results then expire by their policy alone
    }
  }, delayMs);
  return () => update();
};
