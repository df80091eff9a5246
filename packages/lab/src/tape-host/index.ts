export { createTapeHost, type ReplayReport, type TapeHost } from './create-tape-host.ts';
export type { Context } from './tape-steps.ts';
