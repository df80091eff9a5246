export type { AccessibleOptions } from './matchers/accessible.ts';
export { expect, matchers } from './matchers/index.ts';
export type { GadgetReplay, ReplayOptions } from './replay.ts';
export { test } from './test.ts';
export type {
  Call,
  Gadget,
  GantryFixtures,
  GantryOptions,
  LogLine,
  MountOptions,
  Refusal,
  TestClock,
  ToldEvent,
} from './types.ts';
