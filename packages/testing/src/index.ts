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
