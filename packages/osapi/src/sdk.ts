import { connectToContainer } from '@gantry/bridge';
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

const key = Symbol.for('gantry.sdk');

/** The one SDK of this document, however often and in whatever form it is loaded: a load has one port. */
export function documentSdk(): Sdk {
  const scope = globalThis as { [key]?: Sdk };
  scope[key] ??= createSdk();
  return scope[key];
}

function createSdk(): Sdk {
  const connection = connectToContainer();
  const { document } = globalThis;
  const gantry = createGantry(connection, document?.documentElement);
  if (document) {
    forwardKeys(connection, gantry, window);
    reportErrors(connection, window);
    explainBlankPage(window);
  }
  return { osapi: createOsapi(connection), gadgets: createGadgets(connection, document, gantry), gantry };
}
