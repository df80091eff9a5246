import type { AppDocument } from './app-document.ts';
import { features } from './features/features.ts';
import type { Gadget } from './gadget.ts';
import { type AppLoad, type StartOptions, startApp } from './start-app.ts';

/** Document and element of a load, beside what every load needs. */
interface LoadOptions extends Omit<StartOptions<never>, 'greeting' | 'surroundings' | 'features' | 'onOver'> {
  /** Document of this gadget, made for this load; it may have loaded already. */
  readonly document: AppDocument;
  /** The `<gantry-gadget>` in which the frame will stand. */
  readonly element: HTMLElement;
  /** The document has loaded and its app is ready. */
  readonly onLoad: () => void;
}

/** Starts an app in a document, which ends with its connection. */
export function loadApp(gadget: Gadget, options: LoadOptions): AppLoad {
  const { document, element, onLoad, onReady } = options;
  const { frame, greeting } = document;
  let isReady = false;
  const { finish, ...load } = startApp(gadget, {
    ...options,
    greeting,
    features,
    surroundings: { element, frame },
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
    // Also a document of the same address is another one: it has a used nonce, or none, and knows no port.
    if (document.loads > 1) finish('left');
    else if (isReady) onLoad(); // of the document that said hello, or of one after it: a heartbeat will tell
  }
  document.onLoad = onDocument;
  if (document.loads > 1) queueMicrotask(onDocument);
  document.onBlocked = () => finish('blocked');
  if (document.isBlocked) queueMicrotask(document.onBlocked);
  return load;
}
