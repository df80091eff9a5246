import { processSdk } from './process-sdk.ts';

// Loaded instead of `index.ts` where there is no document: importing it connects to nothing.
export { OsapiError } from '@gantry/bridge';
export const { osapi, gadgets, gantry } = processSdk();
