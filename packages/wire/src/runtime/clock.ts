/**
 * Time and chance, of the browser or set by a tool. Code that waits for *time* uses it: ages,
 * intervals, deadlines, back-off. Code that waits for a turn (ticks of 0 ms, frames), or measures
 * responsiveness, does not.
 */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds from any start; never goes back. */
  elapsed(): number;
  /** Calls `callback` once after `ms`. Returns a function that cancels it. */
  after(ms: number, callback: () => void): () => void;
  /** Returns a random number from 0 up to, but not including, 1. */
  random(): number;
  /** Returns random bytes that cannot be guessed. */
  bytes(length: number): Uint8Array<ArrayBuffer>;
}
