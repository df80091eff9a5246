import type { Limits } from './limits.ts';

export interface AdmissionOptions {
  readonly limits: Pick<Limits, 'waitMs' | 'standingWaitMs' | 'fewWaiting'>;
  /** Milliseconds since an arbitrary moment; steady. */
  readonly now?: () => number;
  /** Calls back at the end of a pass of the event loop, when everything that arrived was read. */
  readonly afterPass?: (callback: () => void) => void;
}

/** A request that was read and waits for its work. */
export interface Pending {
  run(): void;
  /** Refuses the request because it waited too long. */
  refuse(): void;
  /** Returns whether its client has disconnected. */
  isGone(): boolean;
}

/** Queue between reading requests and working on them. */
export type Admission = ReturnType<typeof createAdmission>;

/**
 * Time in which a pass of the event loop starts work while it reads. Requests read later in the
 * pass wait with a timestamp: left unread, their waiting time would be unknown.
 */
const readingMs = 10;

/**
 * The event loop accepts one connection in a pass. Work in each pass would leave the others in the
 * system's queue, where their waiting time is unknown too, so consecutive connections are accepted
 * first. Under a flood, accepting and working alternate in turns of this length.
 */
const turnMs = 5;

/** Upper bound for one step of the clock: one long task, such as an import's, refuses none. */
const longestStepMs = 100;

/** Refusals in one pass of accepting, so that a refused flood leaves time for work. */
const refusalsAPass = 10;

/** Served entries kept before the list is copied: shifting costs its length each time. */
const servedKept = 1_000;

/**
 * Makes the queue. A request that waited longer than `waitMs` is refused. Once the queue has been
 * non-empty for so long, the server cannot keep up: the limit is then `standingWaitMs`, so that
 * requests that are served are served soon. Up to `fewWaiting` waiting requests, none is refused.
 */
export function createAdmission(options: AdmissionOptions) {
  const { limits, now = performance.now.bind(performance), afterPass = setImmediate } = options;
  const time = steadily(now);
  let queue: { readonly pending: Pending; readonly sinceMs: number }[] = [];
  let first = 0; // index of the next one
  const late: Pending[] = []; // taken out of the queue, to be refused
  let lastEmptyMs = time();
  let passStartMs: number | undefined; // of the current pass, once something arrived in it
  let isScheduled = false;
  let connectedNow = false; // in this pass
  let connectedBefore = false; // in the previous pass, whose connections' requests are read now
  let turnStartMs = 0;
  let workUntilMs = 0;
  let isHeld = false;
  let isStopping = false;

  function watchPass(): void {
    if (isScheduled) return;
    isScheduled = true;
    afterPass(endPass);
  }

  function endPass(): void {
    isScheduled = false;
    passStartMs = undefined;
    const isTurn = isTurnForWork(time());
    const mayRefuse = !isTurn || !connectedNow;
    connectedBefore = connectedNow;
    connectedNow = false;
    if (isTurn && !isHeld) work();
    if (mayRefuse) for (const pending of late.splice(0, refusalsAPass)) pending.refuse();
    if (first < queue.length || late.length > 0 || connectedBefore) watchPass();
  }

  function isTurnForWork(nowMs: number): boolean {
    if (!connectedNow)
      turnStartMs = nowMs; // every connection was accepted
    else if (nowMs >= workUntilMs && nowMs - turnStartMs >= turnMs) {
      workUntilMs = nowMs + turnMs;
      turnStartMs = workUntilMs;
    }
    return !connectedNow || nowMs < workUntilMs;
  }

  /** Starts one request. Its promises continue after the pass, so more could not be timed. */
  function work(): void {
    const nowMs = time();
    const mostMs = nowMs - lastEmptyMs > limits.waitMs ? limits.standingWaitMs : limits.waitMs;
    while (first < queue.length) {
      const isFew = queue.length - first <= limits.fewWaiting;
      const { pending, sinceMs } = queue[first++] as (typeof queue)[number];
      if (first === queue.length) lastEmptyMs = nowMs;
      if (first === queue.length || first === servedKept) {
        queue = queue.slice(first);
        first = 0;
      }
      if (pending.isGone()) continue;
      if (isStopping || isFew || nowMs - sinceMs <= mostMs) {
        pending.run();
        return;
      }
      late.push(pending);
    }
  }

  return {
    get waiting(): number {
      return queue.length - first + late.length;
    },
    /** Registers a new connection. Must be called for each. */
    connected(): void {
      if (!connectedNow && !connectedBefore) turnStartMs = time();
      connectedNow = true;
      watchPass();
    },
    /** Runs a request at once if none waits, else in its turn. */
    enter(pending: Pending): void {
      const nowMs = time();
      passStartMs ??= nowMs;
      watchPass();
      const mayRun = !isHeld && !connectedNow && !connectedBefore && nowMs - passStartMs < readingMs;
      if (queue.length === 0) lastEmptyMs = nowMs;
      if (mayRun && queue.length === 0) pending.run();
      else queue.push({ pending, sinceMs: nowMs });
    },
    /** Starts no more work until `release`, and refuses nothing, since the server stops. */
    hold(): void {
      isHeld = true;
      isStopping = true;
    },
    release(): void {
      isHeld = false;
    },
  };
}

/** Returns a clock that advances by at most `longestStepMs` between two readings. */
function steadily(now: () => number): () => number {
  let readAtMs = now();
  let timeMs = 0;
  return () => {
    const nowMs = now();
    timeMs += Math.min(nowMs - readAtMs, longestStepMs);
    readAtMs = nowMs;
    return timeMs;
  };
}
