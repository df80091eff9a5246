import { createContainer } from './create-container.ts';
import { defineGadgetElement } from './gantry-gadget.ts';

// What a site's page loads as `/gantry/container.js`: everything else lies beside it.
const { url } = import.meta;
defineGadgetElement(createContainer({ base: new URL('.', url) }));
