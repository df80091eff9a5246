/** Attempts of a queue without a response, and the time of the next one. */
export interface Pause {
  tries: number;
  retryAtMs: number;
}

/** Sending of the writes of one member through one app, which keep their order. */
export interface WriteQueue extends Pause {
  readonly orderingKey: string;
  readonly viewer: string | null;
  /** Another member is signed in, or it is unknown who is. */
  isPaused: boolean;
  batch: Batch | undefined;
  /** Cancels the timer of the next attempt. */
  stopTimer: () => void;
}

/** Writes that leave with one POST. */
export interface Batch {
  /** The POST has not left: later writes can join. */
  isOpen: boolean;
  readonly sends: Promise<void>[];
  /** Keys of its entries. */
  readonly keys: Set<string>;
}
