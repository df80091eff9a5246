export { createTapeHost, type ReplayReport, type TapeHost, type TapeRequest } from './create-tape-host.ts';
export type { Mismatch } from './mismatch.ts';
export type { Context } from './tape-steps.ts';
