import { type Reply, SocialError } from '@gantry/wire';
import { countStrings } from './count-strings.ts';
import { type Failure, failure, failureOf } from './failure.ts';
import type { Leases } from './lease.ts';
import {
  type AppRequest,
  batchLimit,
  batchText,
  type ContainerMethods,
  type Ended,
  type LeasedItem,
  limits,
  type Preload,
  type Replies,
  type ReplyItem,
  type RequestItem,
} from './protocol.ts';
import { itemOf } from './reply-item.ts';

/** A container's handlers for the app behind one port. */
export interface AppCallHandlers {
  /**
   * Handles one request. A reply that is returned, such as a cached one, crosses with the answer to
   * the app's own message, a promise in a later one. `open.signal` aborts when the app cancels or
   * its document ends.
   */
  answer(request: AppRequest, open: OpenRequest): Reply | Promise<Reply>;
  /**
   * Calls `push` with each newer result of `request`, until the returned function is called. The
   * first result comes from `answer`, unless `push` is called before that settles.
   */
  watch?(request: AppRequest, push: (reply: Reply) => void): () => void;
  /**
   * Opens the leases of the port, by which the app uses results again without asking. Without them,
   * every call crosses. @param post Sends the ids of leases that end.
   */
  readonly leases?: ((post: (ended: readonly number[]) => void) => Leases) | undefined;
  /** Calls whose results go along with the welcome, as far as they are fresh by then. */
  readonly preloads?: readonly AppRequest[] | undefined;
  /** Actions by name. They get any plain data that the app sent, and return plain data. */
  readonly actions: ReadonlyMap<string, (...args: unknown[]) => unknown>;
}

interface Handlers extends AppCallHandlers {
  /** Called with the number of a `Ping` that the app repeats, or any other value it sends. */
  pong(number: unknown): void;
}

/** A request that has no reply yet. */
export interface OpenRequest {
  /** Created at first use: a signal costs more than a cached reply, which needs none. */
  readonly signal: AbortSignal;
}

interface Answered {
  readonly id: number;
  readonly request: AppRequest;
  readonly reply: Reply;
}

/** Creates the methods that an app may call. They never throw, whatever a handler does. */
export function createAppCalls(handlers: Handlers, post: (message: Replies | Ended) => void) {
  const open = new Map<number, Opened>();
  let leases: Leases | undefined;
  let outbox: Answered[] = [];
  let stopped: SocialError | undefined;

  function send(answered: Answered): void {
    if (outbox.push(answered) === 1) queueMicrotask(flush);
  }
  function flush(): void {
    const replies = outbox.map(itemFor);
    outbox = [];
    try {
      post({ gantry: 'replies', replies });
    } catch {
      for (const item of replies) postAlone(item); // one is not cloneable
    }
  }
  function postAlone(item: ReplyItem): void {
    try {
      post({ gantry: 'replies', replies: [item] });
    } catch (cause) {
      post({ gantry: 'replies', replies: [itemOf(item[0], failureOf(cause))] });
    }
  }
  function itemFor({ id, request, reply }: Answered): ReplyItem {
    return itemOf(id, reply, leases?.grant(id, request, reply));
  }

  /** Starts a request; returns its reply if that is ready. */
  function begin(id: number, request: AppRequest, isWatched: boolean): Reply | undefined {
    if (stopped) return { error: stopped.toWire() };
    if (open.has(id)) return failure('BAD_REQUEST', 'A request with this id is still open.');
    if (open.size >= limits.openRequests) return tooMany;
    const opened = new Opened();
    if (isWatched) return void beginWatch(id, request, opened);
    try {
      const answered = handlers.answer(request, opened);
      if (!(answered instanceof Promise)) return stopped ? undefined : answered;
      if (stopped) opened.abort(stopped);
      else open.set(id, opened);
      const late = (reply: Reply): void => {
        if (open.get(id) !== opened) return;
        open.delete(id);
        send({ id, request, reply });
      };
      answered.then(late, (cause) => late(failureOf(cause)));
      return undefined;
    } catch (cause) {
      return failureOf(cause);
    }
  }

  function beginWatch(id: number, request: AppRequest, opened: Opened): void {
    let pushed = false;
    const push = (reply: Reply): void => {
      pushed = true;
      if (open.get(id) === opened) send({ id, request, reply });
    };
    const first = (reply: Reply): void => {
      if (!pushed) push(reply);
    };
    open.set(id, opened);
    try {
      const stop = handlers.watch?.(request, push);
      if (stop) opened.signal.addEventListener('abort', () => stop());
      const answered = handlers.answer(request, opened);
      Promise.resolve(answered).then(first, (cause) => first(failureOf(cause)));
    } catch (cause) {
      first(failureOf(cause));
    }
  }

  const methods: ContainerMethods = {
    request(text) {
      const batch = parseBatch(text);
      if ('error' in batch) return batch;
      const ready: Answered[] = [];
      for (const item of batch) {
        const [id, extra] = [item[0], item[3]]; // no pattern of the item, which would iterate
        const write = extra === true ? undefined : extra;
        const request = { operation: item[1], params: item[2], write };
        const reply = begin(id, request, extra === true);
        if (reply) ready.push({ id, request, reply });
      }
      return stopped ? [] : ready.map(itemFor); // leases last, since a write of the batch ends them
    },
    cancel(ids) {
      for (const id of Array.isArray(ids) ? ids : []) {
        const opened = open.get(id);
        open.delete(id);
        opened?.abort(new SocialError('ABORTED', 'The app cancelled the request.'));
      }
      return { ok: null };
    },
    pong(number) {
      handlers.pong(number);
      return { ok: null };
    },
    act(name, args) {
      const action = handlers.actions.get(name);
      if (!action || !Array.isArray(args)) return failure('NOT_IMPLEMENTED', 'This container has no such action.');
      try {
        const value = action(...args.slice(0, limits.actionArgs)); // too many overflow the stack
        return value instanceof Promise ? value.then((ok) => ({ ok }), failureOf) : { ok: value };
      } catch (cause) {
        return failureOf(cause);
      }
    },
  };

  return {
    methods: new Map(Object.entries(methods)),
    /** Opens leases for an app that knows them. Returns those that go along with the welcome. */
    openLeases(): readonly Preload[] {
      leases = handlers.leases?.((ended) => post({ gantry: 'ended', leases: ended }));
      return leases ? preloadsOf(handlers.preloads ?? [], leases) : [];
    },
    /** Aborts every open request and ends every watch. */
    stop(reason: SocialError): void {
      stopped = reason;
      outbox = [];
      leases?.stop();
      const all = [...open.values()];
      open.clear();
      for (const opened of all) opened.abort(reason);
    },
  };
}

/** Grants leases for calls, as far as their results are fresh. */
function preloadsOf(calls: readonly AppRequest[], leases: Leases): readonly Preload[] {
  return calls.flatMap((call, index): readonly Preload[] => {
    const id = -1 - index;
    const lease = leases.grant(id, call);
    return lease ? [[call.operation + call.params, itemOf(id, lease.reply, lease) as LeasedItem]] : [];
  });
}

class Opened implements OpenRequest {
  #controller: AbortController | undefined;

  get signal(): AbortSignal {
    return this.#made().signal;
  }
  abort(reason: SocialError): void {
    this.#made().abort(reason);
  }
  #made(): AbortController {
    this.#controller ??= new AbortController();
    return this.#controller;
  }
}

/** Parses a batch. For `TOO_LARGE`, SDKs send each request of the batch by itself. */
function parseBatch(text: unknown): readonly RequestItem[] | Failure {
  if (typeof text !== 'string') return noBatch;
  const { callText, strings } = limits;
  if (text.length > callText || countStrings(text, strings) > strings) return tooLarge;
  const batch = parseOrNothing(text);
  if (!Array.isArray(batch) || !batch.every(isRequestItem)) return noBatch;
  const isTooLong = batch.length > 1 && text.length > batchText;
  return isTooLong || batch.length > batchLimit ? tooLarge : batch;
}

function parseOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRequestItem(value: unknown): value is RequestItem {
  if (!Array.isArray(value)) return false;
  const extra: unknown = value[3];
  return (
    typeof value[0] === 'number' &&
    typeof value[1] === 'string' &&
    typeof value[2] === 'string' &&
    (extra === undefined || extra === true || (typeof extra === 'object' && extra !== null))
  );
}

const tooLarge = failure(
  'TOO_LARGE',
  `Several requests have at most ${batchText} characters, one ${limits.callText}, with ${limits.strings} strings.`,
);
const noBatch = failure('BAD_REQUEST', 'This is not a batch of requests.');
const tooMany = failure('RATE_LIMITED', 'This app has too many open requests.', { retryAfter: 1 });
