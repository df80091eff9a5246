import { chromeActions } from '../chrome-actions.ts';
import type { Action, Place } from '../gadget.ts';
import { lazy } from '../lazy.ts';
import type { Feature, MountedChrome } from '../place.ts';

/**
 * Loads the chrome of an app when the apps of the page are ready, or at the first action that needs
 * it, so that no first paint waits for it.
 */
export function createLazyChrome(place: Place, fetchChrome: () => Promise<MountedChrome>): Feature {
  let mounting: Promise<MountedChrome> | undefined;
  const chrome = lazy(() => {
    mounting = fetchChrome();
    return mounting;
  });
  let isOver = false;

  return {
    actions: Object.fromEntries(
      chromeActions.map((name): [string, Action] => [
        name,
        // Synchronous once loaded, so that the port's allowance counts the time it takes.
        (...args) => {
          const mounted = chrome.value;
          return mounted ? mounted.actions[name](...args) : chrome.load().then(({ actions }) => actions[name](...args));
        },
      ]),
    ),
    ready() {
      place.gadget.go = (view) => chrome.use(({ go }) => isOver || go(view));
      void place.whenLoaded().then(() => isOver || chrome.use(() => {})); // offline, the app works without
    },
    end() {
      isOver = true;
      place.gadget.go = undefined;
      mounting?.then(({ end }) => end()).catch(() => {});
    },
  };
}
