export { expect, test } from './test.ts';
export type {
  Call,
  Gadget,
  GantryFixtures,
  GantryOptions,
  LogLine,
  MountOptions,
  Refusal,
  ToldEvent,
} from './types.ts';
