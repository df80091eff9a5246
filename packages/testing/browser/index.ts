export type { Call, LogLine, Refusal, ToldEvent } from '@gantry/testing/record-view';
export { mount } from './mount.ts';
export type {
  BrowserClock,
  BrowserFaultChoice,
  BrowserFaults,
  BrowserGadget,
  BrowserMember,
  BrowserMountOptions,
} from './types.ts';
