import { type ContainerConnection, connectToContainer } from '@gantry/bridge';
import { createAppApi, type Gantry } from './create-app-api.ts';
import { createGadgets, type Gadgets } from './create-gadgets.ts';
import { createOsapi } from './create-osapi.ts';
import { forwardKeys } from './forward-keys.ts';
import { reportErrors } from './report-errors.ts';
import type { Osapi } from './services.ts';

export interface Sdk {
  readonly osapi: Osapi;
  readonly gadgets: Gadgets;
  readonly gantry: Gantry;
}

/** Global name of the SDK of this document or process. */
export const sdkKey = Symbol.for('gantry.sdk');

/** Returns the document's SDK, the same for script tag and modules: a load has one port. */
export function documentSdk(): Sdk {
  const scope = globalThis as { [sdkKey]?: Sdk };
  scope[sdkKey] ??= openSdk();
  return scope[sdkKey];
}

function openSdk(): Sdk {
  const connection = connectToContainer();
  const { document } = globalThis;
  const sdk = createSdk(connection, document);
  if (document) {
    forwardKeys(connection, sdk.gantry, window);
    reportErrors(connection, window);
    explainBlankPage(window);
  }
  return sdk;
}

/** Shows a hint in an app's empty page that was opened by itself, where calls are refused. */
function explainBlankPage(scope: Window): void {
  if (scope.parent !== scope) return;
  scope.addEventListener('load', () => {
    const { body } = scope.document;
    if (!body.innerText.trim()) body.append('This is a gadget. It works inside a page of a site that has it.');
  });
}

/** Creates an SDK over a connection. Without a document it measures no height and sets no theme. */
export function createSdk(connection: ContainerConnection, document?: Document): Sdk {
  const gantry = createAppApi(connection, document?.documentElement);
  return { osapi: createOsapi(connection), gadgets: createGadgets(connection, document, gantry), gantry };
}
