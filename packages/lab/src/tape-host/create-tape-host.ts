import { type Reply, SocialError } from '@gantry/wire';
import { type Position, topicOf } from '../tape/positions.ts';
import type { Tape } from '../tape/tape.ts';
import { createCallMatcher } from './match-call.ts';
import { loadTooMany, type Mismatch, mismatchOf } from './mismatch.ts';
import { createPictures } from './pictures.ts';
import { type CallStep, type Context, type Decision, type Step, stepsOf } from './tape-steps.ts';

/** A call of the app, as the container hands it over: the parameters are JSON. */
export interface TapeRequest {
  readonly operation: string;
  readonly params: string;
}

/** State of a replay. */
export interface ReplayReport {
  readonly isFinished: boolean;
  /** Steps of the tape that happened, of `steps`. */
  readonly done: number;
  readonly steps: number;
  readonly mismatch?: Mismatch;
}

/** A tape instead of a site: it answers the calls of a gadget with the recorded replies. */
export type TapeHost = ReturnType<typeof createTapeHost>;

/**
 * Makes the host of one tape. Each call is matched with the next one that the tape has. Replies,
 * pushes, events and contexts follow in the recorded order: one that was recorded after a call
 * waits until the app has made that call.
 *
 * @param options.onTime Receives the time of each next step, in milliseconds from the start.
 * @param options.onEvent Sends the app an event of the site.
 * @param options.onContext Sends the app its changed context.
 * @param options.pictures Origin that draws the pictures of replies. Default: their own.
 * @param options.turn Resolves in another task: a reply leaves before the next step happens.
 */
export function createTapeHost(
  tape: Tape,
  options: {
    readonly onTime: (offsetMs: number) => void;
    readonly onEvent: (name: string, data: unknown) => void;
    readonly onContext: (context: Context) => void;
    readonly turn: () => Promise<void>;
    readonly pictures?: string | undefined;
  },
) {
  const { onTime, onEvent, onContext, turn } = options;
  const steps = stepsOf(tape);
  const pictures = createPictures(options.pictures);
  const matcher = createCallMatcher({ isRedacted: tape.head.isRedacted, values: steps.flatMap(contentsOf) });
  const calls = steps.filter((step) => step.kind === 'call');
  const loads = steps.filter((step) => step.kind === 'handshake');
  const deciders = new Map<CallStep, (decision: Decision, ageMs?: number) => void>();
  const settlers = new Map<CallStep, (reply: Reply) => void>();
  const pushes = new Map<CallStep, (reply: Reply) => void>();
  const watched = new WeakMap<TapeRequest, (reply: Reply) => void>();
  const ended = Promise.withResolvers<void>();
  let made = 0;
  let greeted = 0;
  let cursor = 0;
  let isRunning = false;
  let mismatch: Mismatch | undefined;

  /** Steps that the app takes: calls and greetings. */
  function hasHappened(step: Step): boolean {
    if (step.kind === 'call') return step.number <= made;
    return step.kind !== 'handshake' || step.load <= greeted;
  }

  function fail(difference: Mismatch): void {
    if (mismatch) return;
    mismatch = difference;
    for (const settle of settlers.values()) settle(notOnTape);
    settlers.clear();
    ended.resolve();
  }

  /** Copies what a step tells the app: an app could change the tape for its next load. */
  function restored(step: Step | undefined): unknown {
    const [content] = step ? contentsOf(step) : [];
    const value = content && matcher.restore(...content);
    const isData = step === undefined || !('call' in step) || topicOf(step.call.operation) === 'appData';
    return isData ? value : pictures.show(value);
  }

  function deliver(step: Step): boolean {
    if (step.kind === 'reply') {
      const settle = settlers.get(step.call);
      settlers.delete(step.call);
      settle?.(restored(step) as Reply);
      return settle !== undefined;
    }
    if (step.kind === 'decision') deciders.get(step.call)?.(step.decision, step.ageMs);
    if (step.kind === 'push') pushes.get(step.call)?.(restored(step) as Reply);
    else if (step.kind === 'event') onEvent(step.name, restored(step));
    else if (step.kind === 'context') onContext(restored(step) as Context);
    else return false;
    return true;
  }

  async function run(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    for (;;) {
      const step = steps[cursor];
      if (mismatch || step === undefined) break;
      onTime(step.offsetMs); // before a call too: a timer of the app may cause the call
      if (!hasHappened(step)) break;
      cursor += 1;
      if (deliver(step)) await turn();
    }
    isRunning = false;
    if (cursor === steps.length) ended.resolve();
    else if (!mismatch && hasHappened(steps[cursor] as Step)) void run();
  }

  function report(): ReplayReport {
    const isFinished = cursor === steps.length && mismatch === undefined;
    return { isFinished, done: cursor, steps: steps.length, ...(mismatch && { mismatch }) };
  }

  return {
    /**
     * Resolves with the recorded reply, in recorded order. Never rejects.
     *
     * @param tools.onDecision Receives the recorded decision of the page: from its cache, or asked.
     */
    answer(request: TapeRequest, tools?: { onDecision?(decision: Decision, ageMs?: number): void }): Promise<Reply> {
      const call = { operation: request.operation, params: parsed(request.params, pictures.read) };
      const expected = calls[made];
      if (mismatch) return Promise.resolve(notOnTape);
      if (!expected || !matcher.isSame(expected, call)) {
        fail(mismatchOf({ kind: expected ? 'other' : 'extra', calls, at: made, made: call }));
        return Promise.resolve(notOnTape);
      }
      made += 1;
      const push = watched.get(request);
      if (push) pushes.set(expected, push);
      if (tools?.onDecision) deciders.set(expected, (...decision) => tools.onDecision?.(...decision));
      const reply = new Promise<Reply>((resolve) => settlers.set(expected, resolve));
      void run();
      return reply;
    },
    /** Pushes the recorded results of the call that is made with the same request object. */
    watch(request: TapeRequest, push: (reply: Reply) => void): () => void {
      let isOver = false;
      watched.set(request, (reply) => {
        if (!isOver) push(reply);
      });
      return () => {
        isOver = true;
      };
    },
    /** Context of the next document; absent if the tape has no more. */
    nextContext: (): Context | undefined => restored(loads[greeted]) as Context | undefined,
    /** Called when a document of the app has greeted the page. */
    greet() {
      if (greeted === loads.length) return fail(loadTooMany(loads.length));
      greeted += 1;
      void run();
    },
    report,
    /**
     * Resolves when all of the tape happened or the app differed from it.
     *
     * @param limit Resolves when the wait is over: calls that are missing then are a mismatch.
     */
    async finished(limit: Promise<unknown>): Promise<ReplayReport> {
      void run();
      await Promise.race([ended.promise, limit]);
      await turn(); // an extra call may follow
      if (!mismatch && made < calls.length) fail(mismatchOf({ kind: 'missing', calls, at: made }));
      return report();
    },
  };
}

/** Returns what a step tells the app, if anything. */
function contentsOf(step: Step): readonly (readonly [value: unknown, at: Position])[] {
  if (step.kind === 'reply' || step.kind === 'push') {
    return [[step.reply, { source: 'line', name: '', topic: topicOf(step.call.operation) }]];
  }
  if (step.kind === 'event') return [[step.data, { source: 'page', name: '' }]];
  return 'context' in step ? [[step.context, { source: 'page', name: '' }]] : [];
}

const notOnTape = { error: new SocialError('UNAVAILABLE', 'The tape has no such call here.').toWire() };

function parsed(text: string, read: (text: string) => unknown): unknown {
  try {
    return read(text);
  } catch {
    return text;
  }
}
