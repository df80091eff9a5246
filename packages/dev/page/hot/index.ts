export { type Agent, acceptAgents, type HotGadget } from './agents.ts';
export { attachHot, type HotEvents, type HotOptions } from './attach-hot.ts';
export { GantryBuildCard } from './build-card.ts';
