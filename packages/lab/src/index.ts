export type {
  CallFacts,
  CallHandler,
  CallRoutes,
  HeldCall,
  RoutedCall,
  WaitingCall,
} from './call-routes.ts';
export { type Clock, type ClockChange, createClock } from './clock.ts';
export {
  type AppInLab,
  createLab,
  type Lab,
  type LabApp,
  type LabOptions,
  nobody,
  personaHeader,
} from './create-lab.ts';
export type { FaultChoice, FaultScope, Faults, Network, Strike } from './faults.ts';
export { type GeneratedWorldOptions, generateWorld, testConsumer } from './generate/generate-world.ts';
export { type Probe, probeHas, probes } from './generate/probes.ts';
export type { PermissionSetting } from './permissions.ts';
export { type PreparedWorld, prepareWorld } from './prepare-world.ts';
export { createRecord, type Entry, type Happening, type Record, type SourcePlace } from './record.ts';
export { createRunUse, type RefusedUse, type RunUse, type RunUseCollector, readKey, runUseVersion } from './run-use.ts';
export type { Scenario, ScenarioName } from './scenario.ts';
export { seededRandom } from './seeded-random.ts';
export type { ActingMember, Listed, Social, WorldLists } from './social.ts';
export type { MemberOfApp, StoredActivity, StoredData } from './stored-data.ts';
export type { Story, StoryProps } from './story.ts';
export { findWorld, worldNames } from './worlds/find-world.ts';
export { worldPicture } from './worlds/pictures.ts';
export type { Oddity, Persona, World, WorldOptions, WorldSource } from './worlds/world.ts';
