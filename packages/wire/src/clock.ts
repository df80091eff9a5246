/**
 * Time and chance, as a page has them or as a tool sets them. All that waits for *time* to pass asks it: ages, intervals,
 * deadlines, back-off. What only waits for its turn (ticks of 0 ms, frames) or measures whether something responds does not.
 */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds from any start; never goes back. */
  elapsed(): number;
  /** Calls `callback` once, `ms` from now or soon after. The returned function takes it back. */
  after(ms: number, callback: () => void): () => void;
  /** A number from 0 to 1, below 1. */
  random(): number;
  /** Random bytes, which nobody can guess. */
  bytes(length: number): Uint8Array<ArrayBuffer>;
}
