export type { AccessibleOptions } from './matchers/accessible.ts';
export { expect, matchers } from './matchers/index.ts';
export type { GadgetReplay, ReplayOptions } from './replay.ts';
export { test } from './test.ts';
export type {
  Call,
  Consent,
  Gadget,
  GantryFixtures,
  GantryOptions,
  LogLine,
  MountOptions,
  Network,
  Refusal,
  Site,
  TestClock,
  ToldEvent,
  WorldOfTest,
} from './types.ts';
