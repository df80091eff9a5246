export type { Attention } from './attention.ts';
export { type Container, createContainer, type Gadget } from './create-container.ts';
export { defineGadgetElement, GantryGadget } from './gantry-gadget.ts';
export type { Fetch } from './proxy-client.ts';
export { createIdbStorage, type ResultStorage } from './storage.ts';
export type { TabChannel } from './tabs.ts';
export type { Rollback } from './upkeep.ts';
