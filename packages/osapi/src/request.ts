import { type AppRequest, appError, type ContainerConnection, OsapiError, type SendOptions } from '@gantry/bridge';
import type { Collection, Reply, ReplyMeta, WireError } from '@gantry/wire';
import { deliver } from './result.ts';

/** What a callback of `execute` gets: the bare result, or an object whose `error` says what went wrong. */
export type Result<T> = (T & { readonly error?: undefined }) | { readonly error: WireError };

/** Members of every result that are not enumerable. */
export interface Sourced {
  readonly meta?: ReplyMeta;
}

/** A list with its pages: `for await (const item of pages)` fetches the following ones as they are needed. */
export interface Pages<T> extends Collection<T>, AsyncIterable<T>, Sourced {}

/** A call that is not sent yet: `execute`, `await` or `subscribe` does it. */
export interface OsapiRequest<T> extends PromiseLike<T> {
  /** Sends the request. `callback` runs once, later, always: after a time-out at the latest. */
  execute(callback?: (result: Result<T>) => void): void;
  /**
   * Calls `listener` with the result and again with each newer one, for example after another gadget wrote, until the
   * returned function is called.
   */
  subscribe(listener: (result: T) => void, onError?: (error: OsapiError) => void): () => void;
}

/** A call whose result is a list. Iterating asks for one page after the other. */
export interface CollectionRequest<T> extends OsapiRequest<Pages<T>>, AsyncIterable<T> {}

/** Builds a request. `params` become text at once: what the app does to its object later changes nothing. */
export function createRequest(
  connection: ContainerConnection,
  operation: string,
  params: object,
  options?: SendOptions,
): CollectionRequest<unknown> {
  const request = plainRequest(operation, params);
  let answer: Promise<Pages<unknown>> | undefined;

  function send(): Promise<Reply> {
    return 'error' in request ? Promise.resolve(request) : connection.send(request, options);
  }
  function resultOf(reply: Reply): Pages<unknown> {
    if ('error' in reply) throw new OsapiError(reply.error);
    return deliver(reply, nextPages) as Pages<unknown>;
  }
  async function* nextPages({ startIndex, itemsPerPage, totalResults }: Collection<unknown>): AsyncGenerator<unknown> {
    if ('error' in request || itemsPerPage <= 0) return;
    for (let start = startIndex + itemsPerPage; start < totalResults; start += itemsPerPage) {
      const params = { ...JSON.parse(request.params), startIndex: start };
      const page = await createRequest(connection, operation, params, options);
      yield* page.list;
    }
  }

  return {
    execute(callback) {
      send().then((reply) => {
        if (typeof callback !== 'function') return;
        const result = 'error' in reply ? { error: reply.error } : resultOf(reply);
        queueMicrotask(() => callback(result as Result<Pages<unknown>>)); // what it throws is the app's uncaught error
      });
    },
    then(onResult, onError) {
      answer ??= send().then(resultOf);
      return answer.then(onResult, onError);
    },
    subscribe(listener, onError) {
      const push = (reply: Reply): void => {
        if ('error' in reply) onError?.(new OsapiError(reply.error));
        else listener(resultOf(reply));
      };
      if (!('error' in request)) return connection.watch(request, push);
      queueMicrotask(() => push(request));
      return () => {};
    },
    async *[Symbol.asyncIterator]() {
      yield* await this;
    },
  };
}

// As JSON says it, so that functions drop out, dates become text and every site sees the same.
function plainRequest(operation: string, params: object): AppRequest | { readonly error: WireError } {
  try {
    const text: string | undefined = JSON.stringify(params);
    if (text?.startsWith('{')) return { operation, params: text };
  } catch {
    // a cycle or a bigint
  }
  return { error: appError('BAD_REQUEST', `The parameters of ${operation} must be a plain object.`) };
}
