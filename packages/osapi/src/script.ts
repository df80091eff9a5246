import type { Gantry } from './create-app-api.ts';
import type { Gadgets } from './create-gadgets.ts';
import { documentSdk } from './sdk.ts';
import type { Osapi } from './services.ts';

declare global {
  /** Calls of the Social REST API: `osapi.people.getViewer().execute(show)`. */
  var osapi: Osapi;
  /** Height, views and preferences, under the names that OpenSocial gave them. */
  var gadgets: Gadgets;
  /** The page around the app: context, theme, links, toasts, dialogs, state, visibility. */
  var gantry: Gantry;
}

// The SDK as a classic script.
Object.assign(globalThis, documentSdk());
