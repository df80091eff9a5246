export type { Call, LogLine, Refusal, ToldEvent } from '@gantry/testing/record-view';
export { mount, replay } from './mount.ts';
export type {
  BrowserClock,
  BrowserFaultChoice,
  BrowserFaults,
  BrowserGadget,
  BrowserMember,
  BrowserMountOptions,
  BrowserReplay,
} from './types.ts';
