/** Attempts of a queue without a response, and the time of the next one. */
export interface Pause {
  tries: number;
  retryAtMs: number;
  /** Time at which `retryAtMs` was set. */
  heldAtMs: number;
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

export function newQueue(queue: Pick<WriteQueue, 'orderingKey' | 'viewer' | 'isPaused'>): WriteQueue {
  return { ...queue, tries: 0, retryAtMs: 0, heldAtMs: 0, batch: undefined, stopTimer() {} };
}
