import { processSdk } from './process-sdk.ts';

// Entry for Node, where there is no document: importing it opens no connection.
export { OsapiError } from '@gantry/bridge';
/** SDK of this process; `openHost` of @gantry/testing/node connects it. */
export const { osapi, gadgets, gantry } = processSdk();
