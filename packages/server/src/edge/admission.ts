import type { Limits } from './limits.ts';

export interface AdmissionOptions {
  readonly limits: Pick<Limits, 'waitMs' | 'standingWaitMs' | 'fewWaiting'>;
  /** Milliseconds since an arbitrary moment; steady. */
  readonly now?: () => number;
  /** Calls back once at the end of a pass of the event loop, when everything that had arrived was read. */
  readonly afterPass?: (callback: () => void) => void;
}

/** A request that was read and is not worked on yet. */
export interface Pending {
  /** Begins the work. */
  run(): void;
  /** Turns the request away because it waited too long. */
  refuse(): void;
  /** Returns true if its client has gone away meanwhile. */
  isGone(): boolean;
}

/** Decides when requests that were read are worked on, and for which of them that is too late. */
export interface Admission {
  /** Requests that wait. */
  readonly waiting: number;
  /** Takes note of a new connection. Must be called for each. */
  connected(): void;
  /** Runs a request at once where nothing waits, else in its turn. */
  enter(pending: Pending): void;
  /** Begins no more work until `release`, and refuses nothing from now on: the server stops. */
  hold(): void;
  release(): void;
}

/**
 * Time in which a pass of the event loop begins work as it reads. Requests that it reads after that wait, with their time noted:
 * otherwise they would wait unread, where no clock sees them.
 */
const readingMs = 10;

/**
 * The event loop accepts one connection in a pass. Work in each pass would leave the others in the system's queue, where no
 * clock sees them either, so connections that follow one another are all accepted first. Under a flood, accepting and working
 * take turns of this length.
 */
const turnMs = 5;

/** Time in which nothing could begin counts as at most this much: one long task, such as an import's, refuses nobody. */
const longestStepMs = 100;

/** Refusals of one pass. They belong to the turns of accepting: a flood that is refused must leave time for work. */
const refusalsAPass = 10;

/** Served entries that stay at the head of the list until it is copied: to shift a long list costs its length each time. */
const servedKept = 1_000;

/**
 * Makes the queue between reading requests and working on them. A request that has waited longer than `waitMs` is refused.
 * Once the queue has not been empty for so long, the server cannot keep up: then more than `standingWaitMs` is too long, so that
 * those that are served are served soon. While no more than `fewWaiting` wait, none is refused.
 */
export function createAdmission({ limits, now = monotonic, afterPass = setImmediate }: AdmissionOptions): Admission {
  const time = steadily(now);
  let queue: { readonly pending: Pending; readonly sinceMs: number }[] = [];
  let first = 0; // index of the next one
  const late: Pending[] = []; // taken out of the queue, to be refused
  let lastEmptyMs = time();
  let passStartMs: number | undefined; // of the pass that is under way, once something arrived in it
  let isScheduled = false;
  let connectedNow = false; // in this pass
  let connectedBefore = false; // in the one before, whose connections' requests are read now
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

  /** Begins one request. Its promises go on after the pass, so more of them could not be timed. */
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
    get waiting() {
      return queue.length - first + late.length;
    },
    connected() {
      if (!connectedNow && !connectedBefore) turnStartMs = time();
      connectedNow = true;
      watchPass();
    },
    enter(pending) {
      const nowMs = time();
      passStartMs ??= nowMs;
      watchPass();
      const mayRun = !isHeld && !connectedNow && !connectedBefore && nowMs - passStartMs < readingMs;
      if (queue.length === 0) lastEmptyMs = nowMs;
      if (mayRun && queue.length === 0) pending.run();
      else queue.push({ pending, sinceMs: nowMs });
    },
    hold() {
      isHeld = true;
      isStopping = true;
    },
    release() {
      isHeld = false;
    },
  };
}

/** A clock that goes on by at most `longestStepMs` between two looks at it. */
function steadily(now: () => number): () => number {
  let lookedAtMs = now();
  let timeMs = 0;
  return () => {
    const nowMs = now();
    timeMs += Math.min(nowMs - lookedAtMs, longestStepMs);
    lookedAtMs = nowMs;
    return timeMs;
  };
}

function monotonic(): number {
  return performance.now();
}
