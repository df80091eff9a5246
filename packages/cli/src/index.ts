export { generateWorld, testConsumer, type WorldOptions } from './generate/generate-world.ts';
export { type Probe, probeHas, probes } from './generate/probes.ts';
export { main } from './main.ts';
