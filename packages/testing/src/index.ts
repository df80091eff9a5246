import '@gantry/store/require-node';

export type { GadgetReplay, ReplayOptions } from './gadget-replay.ts';
export type { AccessibleOptions } from './matchers/accessible.ts';
export { expect, matchers } from './matchers/index.ts';
export { shortFixtures } from './short-fixtures.ts';
export { test } from './test.ts';
export type {
  Call,
  Consent,
  Gadget,
  Gantry,
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
