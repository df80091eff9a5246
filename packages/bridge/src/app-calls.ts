import { type Reply, SocialError } from '@gantry/wire';
import type { Methods } from './guard.ts';
import {
  type AppRequest,
  batchLimit,
  type ContainerMethods,
  limits,
  type ReplyItem,
  type RequestItem,
} from './protocol.ts';

/** What a container does for the app behind one port. */
export interface AppCallHandlers {
  /**
   * Answers one request. A value that is ready, such as a cached one, crosses with the answer to the app's own
   * message; a promise settles later. `open.signal` aborts when the app cancels or its document ends.
   */
  answer(request: AppRequest, open: OpenRequest): Reply | Promise<Reply>;
  /**
   * Calls `push` with each newer result of `request`, until the returned function is called. The first result comes
   * from `answer`; if `push` was called before that settles, the pushed one counts.
   */
  watch?(request: AppRequest, push: (reply: Reply) => void): () => void;
  /** By name. Called with whatever plain data the app wrote; what they return or resolve to must be plain data. */
  readonly actions: ReadonlyMap<string, (...args: unknown[]) => unknown>;
}

interface Ends extends AppCallHandlers {
  /** Hears the number of a `Ping` that the app repeats, or whatever it sends instead. */
  pong(number: unknown): void;
}

/** A request that the app waits for. */
export interface OpenRequest {
  /** Made when it is first read: a signal costs more than a cached answer, which needs none. */
  readonly signal: AbortSignal;
}

export interface AppCalls {
  readonly methods: Methods;
  /** Aborts every open request and ends every watch. */
  stop(reason: SocialError): void;
}

/** The methods that an app may call, over the handlers of its container. Nothing that a handler does makes one throw. */
export function createAppCalls(handlers: Ends, post: (replies: readonly ReplyItem[]) => void): AppCalls {
  const open = new Map<string, Opened>();
  let outbox: ReplyItem[] = [];
  let stopped: SocialError | undefined;

  function send(id: string, reply: Reply): void {
    if (outbox.push([id, reply]) === 1) queueMicrotask(flush);
  }
  function flush(): void {
    const replies = outbox;
    outbox = [];
    try {
      post(replies);
    } catch {
      for (const [id, reply] of replies) postAlone(id, reply); // one of them cannot be cloned; the others can
    }
  }
  function postAlone(id: string, reply: Reply): void {
    try {
      post([[id, reply]]);
    } catch (cause) {
      post([[id, failure(cause)]]);
    }
  }

  /** Starts a request; returns its reply if that is ready. */
  function begin([id, operation, params, watched]: RequestItem): Reply | undefined {
    if (stopped) return { error: stopped.toWire() };
    if (open.has(id)) return refusal('BAD_REQUEST', 'A request with this id is still open.');
    if (open.size >= limits.openRequests) return tooMany;
    const opened = new Opened();
    const request = { operation, params };
    open.set(id, opened);
    let pushed = false;
    const push = (reply: Reply): void => {
      pushed = true;
      if (open.get(id) === opened) send(id, reply);
    };
    const settle = (reply: Reply): Reply | undefined => {
      if (open.get(id) !== opened || pushed) return undefined;
      if (!watched) open.delete(id);
      return reply;
    };
    const late = (reply: Reply): void => {
      const settled = settle(reply);
      if (settled) send(id, settled);
    };
    try {
      if (watched) watch(request, opened, push);
      const answered = handlers.answer(request, opened);
      if (!(answered instanceof Promise)) return settle(answered);
      answered.then(late, (cause) => late(failure(cause)));
      return undefined;
    } catch (cause) {
      return settle(failure(cause));
    }
  }

  function watch(request: AppRequest, { signal }: OpenRequest, push: (reply: Reply) => void): void {
    const stop = handlers.watch?.(request, push);
    if (stop) signal.addEventListener('abort', () => stop());
  }

  const methods: ContainerMethods = {
    request(batch) {
      if (!isBatch(batch)) return refusal('BAD_REQUEST', 'This is not a batch of requests.');
      if (batch.length > batchLimit) return refusal('TOO_LARGE', 'The batch has too many requests.');
      return batch.flatMap((item) => {
        const reply = begin(item);
        return reply ? [[item[0], reply] as const] : [];
      });
    },
    cancel(ids) {
      for (const id of Array.isArray(ids) ? ids : []) {
        const opened = open.get(id);
        open.delete(id);
        opened?.abort(new SocialError('ABORTED', 'The app gave the request up.'));
      }
      return { ok: null };
    },
    pong(number) {
      handlers.pong(number);
      return { ok: null };
    },
    async act(name, args) {
      const action = handlers.actions.get(name);
      if (!action || !Array.isArray(args)) return refusal('NOT_IMPLEMENTED', 'This container has no such action.');
      try {
        return { ok: await action(...args) };
      } catch (cause) {
        return failure(cause);
      }
    },
  };

  return {
    methods: new Map(Object.entries(methods)),
    stop(reason) {
      stopped = reason;
      const all = [...open.values()];
      open.clear();
      for (const opened of all) opened.abort(reason);
    },
  };
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

function isBatch(value: unknown): value is readonly RequestItem[] {
  return Array.isArray(value) && value.every(isRequestItem);
}

function isRequestItem(value: unknown): value is RequestItem {
  if (!Array.isArray(value)) return false;
  const [id, operation, params, watched] = value;
  return (
    typeof id === 'string' &&
    id.length <= limits.idLength &&
    typeof operation === 'string' &&
    typeof params === 'string' &&
    (watched === undefined || watched === true)
  );
}

const tooMany = {
  error: new SocialError('RATE_LIMITED', 'This app has too many open requests.', { retryAfter: 1 }).toWire(),
};

function refusal(code: 'BAD_REQUEST' | 'NOT_IMPLEMENTED' | 'TOO_LARGE', message: string) {
  return { error: new SocialError(code, message).toWire() };
}

// What a handler threw stays on the page, unless it was made to be told.
function failure(cause: unknown): Reply {
  const error = cause instanceof SocialError ? cause : new SocialError('INTERNAL', 'The container could not answer.');
  return { error: error.toWire() };
}
