/** For hosts in Node: an SDK over a connection, and the one that `@gantry/osapi` stands for in this process. */
export { late } from './late.ts';
export { processSdk } from './process-sdk.ts';
export { createSdk, type Sdk } from './sdk.ts';
