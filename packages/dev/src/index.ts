export { type DevServer, startDevServer } from './dev-server.ts';
export { eventsVersion, line } from './output/json-lines.ts';
export { tellRun } from './output/tell-run.ts';
export type { LabAnswer, Persona } from './protocol.ts';
export type { Stories } from './stories/stories.ts';
export type { StoriesAnswer, StoryFacts } from './story-protocol.ts';
export { recoverTape, type TapeFile } from './tape/read-tape-file.ts';
