import { createContainer } from './create-container.ts';
import { defineGadgetElement } from './gantry-gadget.ts';

// What a site's page loads as `/gantry/container.js`: everything else lies beside it.
const { url } = import.meta;
const container = createContainer({ base: new URL('.', url) });
defineGadgetElement(container);

/** `import { purge } from '/gantry/container.js'`: for the site to call after it signed its member out. */
export const { purge, invalidate } = container;
