export { nobody } from '@gantry/lab/scenario';
export { type Agent, type Agents, acceptAgents, type GadgetElement, type StageFacts, whereIn } from './agent-port.ts';
export { createLabClock, type LabClock } from './create-lab-clock.ts';
export { observeFor, openContainer, placeSeparator, type StageContainer } from './open-container.ts';
export { openReplay, type Replay, type ReplayOptions } from './open-replay.ts';
export { type OpenStage, openStage, type Staged, type StageOptions } from './open-stage.ts';
export { createReport, type Report } from './report.ts';
