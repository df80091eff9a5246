export type {
  CallFacts,
  CallHandler,
  CallRoutes,
  HeldCall,
  RoutedCall,
  WaitingCall,
} from './call-routes.ts';
export { type Clock, createClock } from './clock.ts';
export {
  type AppInLab,
  createLab,
  type Lab,
  type LabApp,
  type LabOptions,
  personaHeader,
} from './create-lab.ts';
export type { FaultChoice, Faults, InjectedFault, Network } from './faults.ts';
export { type GeneratedWorldOptions, generateWorld, testConsumer } from './generate/generate-world.ts';
export { type Probe, probes } from './generate/probes.ts';
export { type PreparedWorld, prepareWorld } from './prepare-world.ts';
export { createRecord, type Record } from './record/create-record.ts';
export type { Entry, LabEvent, SourcePlace } from './record/entry.ts';
export { createRunUse, type RunUse, type RunUseCollector, readKey, runUseVersion } from './run-use.ts';
export { nobody, type Scenario } from './scenario/scenario.ts';
export type { Story, StoryProps } from './scenario/story.ts';
export { seededRandom } from './seeded-random.ts';
export type { ActingMember, Listed, Social, WorldLists } from './social.ts';
export type { StoredActivity, StoredData } from './stored-data.ts';
export type {
  ActivityRecord,
  AlbumRecord,
  AppDataRecord,
  InstallRecord,
  Level,
  MediaItemRecord,
  MemberRecord,
  WorldFile,
} from './world-file.ts';
export { findWorld, worldNames } from './worlds/find-world.ts';
export type { Persona, World, WorldSource } from './worlds/world.ts';
