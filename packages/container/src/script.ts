import { callsBase } from './calls-base.ts';
import { createContainer } from './create-container.ts';
import { defineGadgetElement } from './define-gadget-element.ts';

export type { GantryGadget } from './gantry-gadget.ts';

// Served as `/gantry/container.js`, with its chunks beside it, or bundled by a site with the scripts of its own.
const container = createContainer({ base: callsBase(import.meta.url, globalThis.location) });
defineGadgetElement(container);

/** `import { purge } from '/gantry/container.js'`: for the site to call after it signed its member out. */
export const { purge, invalidate } = container;
