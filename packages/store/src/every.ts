import { AsyncResource } from 'node:async_hooks';

/** Calls `tick` every `ms`, until the returned function is called. */
export type Every = (tick: () => void, ms: number) => () => void;

// The context in which this module was loaded, which is no request's.
const outside = new AsyncResource('GantryTimer');

/** Repeats, keeping no process alive and in no request's context (security rule 32). */
export const every: Every = (tick, ms) => {
  const timer = outside.runInAsyncScope(() => setInterval(tick, ms).unref());
  return () => clearInterval(timer);
};
