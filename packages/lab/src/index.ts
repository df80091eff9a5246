export { createLab, type Lab, type LabApp, type LabOptions, personaHeader } from './create-lab.ts';
export { type GeneratedWorldOptions, generateWorld, testConsumer } from './generate/generate-world.ts';
export { type Probe, probeHas, probes } from './generate/probes.ts';
export { createRecord, type Entry, type Happening, type Record, type SourcePlace } from './record.ts';
export type { Scenario, ScenarioName } from './scenario.ts';
export type { Story } from './story.ts';
export { findWorld, worldNames } from './worlds/find-world.ts';
export { worldPicture } from './worlds/pictures.ts';
export type { Oddity, Persona, World, WorldOptions, WorldSource } from './worlds/world.ts';
