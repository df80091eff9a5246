export { type DevOptions, type DevServer, startDevServer } from './dev-server.ts';
export type { AppFacts, BuildProblem, DevEvent, LabAnswer, LabRequest, Persona, RecordRequest } from './protocol.ts';
