import { callsBase } from './calls/calls-base.ts';
import { createContainer } from './create-container.ts';
import { defineGadgetElement } from './element/define-gadget-element.ts';

export type { GantryGadget } from './element/gantry-gadget.ts';

// Served as `/gantry/container.js` beside its chunks, or bundled by a site.
const container = createContainer({ base: callsBase(import.meta.url, globalThis.location) });
defineGadgetElement(container);

/** `import { purge } from '/gantry/container.js'`, for a site that signed its member out. */
export const { purge, invalidate } = container;
