/** Calls `tick` every `ms` until the function that it answers is called. */
export type Every = (tick: () => void, ms: number) => () => void;

/** A timer that does not keep the process alive. */
export const every: Every = (tick, ms) => {
  const timer = setInterval(tick, ms).unref();
  return () => clearInterval(timer);
};
