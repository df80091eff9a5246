import { type Reply, type ResourceRequest, SocialError } from '@gantry/wire';
import type { Methods } from './guard.ts';
import { isPlainObject } from './plain-data.ts';
import { batchLimit, type ContainerMethods, limits, type ReplyItem, type RequestItem } from './protocol.ts';

/** What a container does for the app behind one port. */
export interface AppCallHandlers {
  /**
   * Answers one request. A value that is ready, such as a cached one, crosses with the answer to the app's own
   * message; a promise settles later. `signal` aborts when the app cancels or its document ends.
   */
  answer(request: ResourceRequest, signal: AbortSignal): Reply | Promise<Reply>;
  /**
   * Calls `push` with each newer result of `request`, until the returned function is called. The first result comes
   * from `answer`; if `push` was called before that settles, the pushed one counts.
   */
  watch?(request: ResourceRequest, push: (reply: Reply) => void): () => void;
  /** By name. Called with whatever plain data the app wrote; what they return or resolve to must be plain data. */
  readonly actions: ReadonlyMap<string, (...args: unknown[]) => unknown>;
}

export interface AppCalls {
  readonly methods: Methods;
  /** Aborts every open request and ends every watch. */
  stop(reason: SocialError): void;
}

/** The methods that an app may call, over the handlers of its container. Nothing that a handler does makes one throw. */
export function createAppCalls(handlers: AppCallHandlers, post: (replies: readonly ReplyItem[]) => void): AppCalls {
  const open = new Map<string, AbortController>();
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
  function begin([id, request, watched]: RequestItem): Reply | undefined {
    if (stopped) return { error: stopped.toWire() };
    if (open.has(id)) return refusal('BAD_REQUEST', 'A request with this id is still open.');
    if (open.size >= limits.openRequests) return refusal('RATE_LIMITED', 'This app has too many open requests.');
    const controller = new AbortController();
    open.set(id, controller);
    let pushed = false;
    const push = (reply: Reply): void => {
      pushed = true;
      if (open.get(id) === controller) send(id, reply);
    };
    const settle = (reply: Reply): Reply | undefined => {
      if (open.get(id) !== controller || pushed) return undefined;
      if (!watched) open.delete(id);
      return reply;
    };
    const late = (reply: Reply): void => {
      const settled = settle(reply);
      if (settled) send(id, settled);
    };
    try {
      if (watched) watch(request, controller.signal, push);
      const answered = handlers.answer(request, controller.signal);
      if (!(answered instanceof Promise)) return settle(answered);
      answered.then(late, (cause) => late(failure(cause)));
      return undefined;
    } catch (cause) {
      return settle(failure(cause));
    }
  }

  function watch(request: ResourceRequest, signal: AbortSignal, push: (reply: Reply) => void): void {
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
        const controller = open.get(id);
        open.delete(id);
        controller?.abort(new SocialError('ABORTED', 'The app gave the request up.'));
      }
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
      const controllers = [...open.values()];
      open.clear();
      for (const controller of controllers) controller.abort(reason);
    },
  };
}

function isBatch(value: unknown): value is readonly RequestItem[] {
  return Array.isArray(value) && value.every(isRequestItem);
}

function isRequestItem(value: unknown): value is RequestItem {
  if (!Array.isArray(value)) return false;
  const [id, request, watched] = value;
  return (
    typeof id === 'string' &&
    id.length <= limits.idLength &&
    isPlainObject(request) &&
    typeof request.operation === 'string' &&
    isPlainObject(request.params) &&
    (watched === undefined || watched === true)
  );
}

function refusal(code: 'BAD_REQUEST' | 'NOT_IMPLEMENTED' | 'RATE_LIMITED' | 'TOO_LARGE', message: string) {
  return { error: new SocialError(code, message).toWire() };
}

// What a handler threw stays on the page, unless it was made to be told.
function failure(cause: unknown): Reply {
  const error = cause instanceof SocialError ? cause : new SocialError('INTERNAL', 'The container could not answer.');
  return { error: error.toWire() };
}
