export { createLab, type Lab, type LabApp, type LabOptions, personaHeader } from './create-lab.ts';
export { createRecord, type Entry, type Happening, type Record, type SourcePlace } from './record.ts';
export type { Scenario, ScenarioName } from './scenario.ts';
export type { Story } from './story.ts';
