import type { Gadgets } from './create-gadgets.ts';
import type { Gantry } from './create-gantry.ts';
import { documentSdk } from './sdk.ts';
import type { Osapi } from './surface.ts';

declare global {
  /** Calls of the Social REST API: `osapi.people.getViewer().execute(show)`. */
  var osapi: Osapi;
  /** Height, views and preferences, under the names that OpenSocial gave them. */
  var gadgets: Gadgets;
  /** The site around the app: its context and theme, links, toasts, dialogs, saving, visibility. */
  var gantry: Gantry;
}

// The SDK as a classic script.
Object.assign(globalThis, documentSdk());
