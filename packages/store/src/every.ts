/** Calls `tick` every `ms`, until the returned function is called. */
export type Every = (tick: () => void, ms: number) => () => void;

/**
 * Repeats with a timer that does not keep the process alive.
 *
 * @example
 * const stop = every(() => {}, 60_000);
 * stop();
 */
export const every: Every = (tick, ms) => {
  const timer = setInterval(tick, ms).unref();
  return () => clearInterval(timer);
};
