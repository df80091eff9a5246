export { nobody } from '@gantry/lab/scenario';
export { type Agent, type Agents, acceptAgents, type GadgetElement, type GadgetFacts, whereIn } from './agent-port.ts';
export { createLabClock, type LabClock } from './create-lab-clock.ts';
export { type MountedGadget, type MountGadgetOptions, mountGadget, type Subject } from './mount-gadget.ts';
export { type LabContainer, observeFor, openContainer, placeSeparator } from './open-container.ts';
export { openReplay, type Replay } from './open-replay.ts';
export { createReport, type Report } from './report.ts';
