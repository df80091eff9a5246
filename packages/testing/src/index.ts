export type { GadgetReplay, ReplayOptions } from './replay.ts';
export { expect, test } from './test.ts';
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
