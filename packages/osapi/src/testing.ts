// For hosts in Node: SDKs over connections, and the one behind `@gantry/osapi` in this process.

export { delegate } from './delegate.ts';
export { processSdk } from './process-sdk.ts';
export { createSdk, type Sdk } from './sdk.ts';
