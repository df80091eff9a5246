export { type GantryPluginOptions, gantry } from './gantry.ts';
export type { Ask, Asked, Opened, OpenRequest, Told } from './protocol.ts';
