import { createContext } from '../features/context.ts';
import { createLazyChrome } from '../features/lazy-chrome.ts';
import { createRollbacks } from '../features/rollbacks.ts';
import { createWriteReports } from '../features/writes.ts';
import type { CreateFeature, LoadApp } from '../place.ts';
import { startApp } from './start-app.ts';

// With the table of operations, which nothing needs before an app starts.
export { createGadget } from '../create-gadget.ts';
export { createFreshness } from '../results/freshness.ts';
export { createRequestParser } from '../results/parse-request.ts';
export { isUsable } from '../results/stored-results.ts';

/** All services of the container for an app beside its requests. */
const features: readonly CreateFeature[] = [
  createContext,
  createRollbacks,
  createWriteReports,
  (place) =>
    createLazyChrome(place, async () => {
      const { mountChrome } = await import('../chrome/mount-chrome.ts');
      return mountChrome(place, {
        fetchPermissionDialog: () => import('../consent/request.ts'),
        fetchVersionWatch: () => import('../versions/watch-version.ts'),
      });
    }),
];

/** Starts an app in a document, which ends with its connection. */
export const loadApp: LoadApp = (gadget, options) => {
  const { document, element, ask, onLoad, onReady } = options;
  const { frame, greeting } = document;
  let isReady = false;
  const { finish, ...load } = startApp(gadget, {
    ...options,
    greeting,
    features,
    extras: { element, frame, ask },
    onReady() {
      isReady = true;
      onReady();
    },
    onOver() {
      document.onLoad = undefined; // an app that reloads itself instead of giving up stays refused
      document.onBlocked = undefined;
    },
  });

  function onDocument(): void {
    // Also one of the same address is another: it has a used nonce, or none, and knows no port.
    if (document.loads > 1) finish('left');
    else if (isReady) onLoad(); // a heartbeat finds out if it is the document that said hello
  }
  document.onLoad = onDocument;
  if (document.loads > 1) queueMicrotask(onDocument);
  document.onBlocked = () => finish('blocked');
  if (document.blocked === 'document') queueMicrotask(document.onBlocked);
  return load;
};
