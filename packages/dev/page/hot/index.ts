export { attachHot, type Hot, type HotEvents, type HotOptions } from './attach-hot.ts';
export { GantryBuildCard } from './build-card.ts';
