export { type Created, type CreateOptions, createGadget } from './create-gadget.ts';
export { helpOf, main } from './main.ts';
export { type TemplateName, templateNames } from './templates.ts';
