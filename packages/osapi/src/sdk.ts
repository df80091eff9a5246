import { type ContainerConnection, connectToContainer } from '@gantry/bridge';
import { createGadgets, type Gadgets } from './create-gadgets.ts';
import { createGantry, type Gantry } from './create-gantry.ts';
import { createOsapi } from './create-osapi.ts';
import { explainBlankPage } from './explain-blank-page.ts';
import { forwardKeys } from './forward-keys.ts';
import { reportErrors } from './report-errors.ts';
import type { Osapi } from './surface.ts';

export interface Sdk {
  readonly osapi: Osapi;
  readonly gadgets: Gadgets;
  readonly gantry: Gantry;
}

/** Name under which this document, or this process, holds its SDK. */
export const sdkKey = Symbol.for('gantry.sdk');

/** The one SDK of this document, however often and in whatever form it is loaded: a load has one port. */
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

/** Builds the SDK over a connection. Without a document it measures nothing and shows no theme. */
export function createSdk(connection: ContainerConnection, document?: Document): Sdk {
  const gantry = createGantry(connection, document?.documentElement);
  return { osapi: createOsapi(connection), gadgets: createGadgets(connection, document, gantry), gantry };
}
