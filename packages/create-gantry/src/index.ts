export { type AskOptions, askLine, askYes } from './ask.ts';
export { type Created, type CreateOptions, createGadget, ownVersion } from './create-gadget.ts';
export { flags, helpOf, main } from './main.ts';
export { type TemplateName, templateNames } from './templates.ts';
export { makeFolder } from './write-files.ts';
