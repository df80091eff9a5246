import {
  type AppRequest,
  appError,
  type ContainerConnection,
  type Failure,
  OsapiError,
  type SendOptions,
  type WriteOptions,
} from '@gantry/bridge';
import type { Collection, Reply, ReplyMeta, WireError } from '@gantry/wire';
import { reportUnhandled } from './report-errors.ts';
import { type Delivered, deliver } from './result.ts';

export interface CallOptions {
  /** Fails the request with ABORTED; for `execute` and `await`. */
  readonly signal?: AbortSignal;
  /** Fails the request with TIMED_OUT. 30,000 ms by default for reads, no limit for writes. */
  readonly timeoutMs?: number;
  /** Id of a write, and its behaviour offline and when a post comes too soon. */
  readonly write?: WriteOptions;
}

/** Argument of an `execute` callback: the result itself, or an object with `error`. */
export type Result<T> = (T & { readonly error?: undefined }) | { readonly error: WireError };

/** Non-enumerable members of every result. */
export interface Sourced {
  readonly meta?: ReplyMeta;
}

/** A page of a list. `for await (const item of page)` fetches further pages as needed. */
export interface Pages<T> extends Collection<T>, AsyncIterable<T>, Sourced {}

/** A call that is sent by `execute`, `await` or `subscribe`. */
export interface OsapiRequest<T> extends PromiseLike<T> {
  /** Sends the request. `callback` runs once, later; without one an error goes to the console. */
  execute(callback?: (result: Result<T>) => void): void;
  /** Calls `listener` with the result and each newer one, until the returned function is called. */
  subscribe(listener: (result: T) => void, onError?: (error: OsapiError) => void): () => void;
}

/** A call whose result is a list. Iterating it fetches one page after the other. */
export interface CollectionRequest<T> extends OsapiRequest<Pages<T>>, AsyncIterable<T> {}

/** Creates a request. `params` are serialized at once, so later changes have no effect. */
export function createRequest(
  connection: ContainerConnection,
  operation: string,
  params: object,
  options?: SendOptions & Pick<CallOptions, 'write'>,
): CollectionRequest<unknown> {
  return new Call(connection, plainRequest(operation, params, options?.write), options);
}

// A class, because apps make hundreds in a tick: closures would cost more than the call.
class Call implements CollectionRequest<unknown> {
  readonly #connection: ContainerConnection;
  readonly #request: AppRequest | FailedRequest;
  readonly #options: SendOptions | undefined;
  #result: Promise<Pages<unknown>> | undefined;

  constructor(connection: ContainerConnection, request: AppRequest | FailedRequest, options: SendOptions | undefined) {
    this.#connection = connection;
    this.#request = request;
    this.#options = options;
  }

  execute(callback?: (result: Result<Pages<unknown>>) => void): void {
    this.#send((reply) => {
      if (typeof callback !== 'function') {
        if ('error' in reply) reportUnhandled(this.#connection, this.#request.operation, reply.error);
        return;
      }
      const result = 'error' in reply ? reply : this.#deliver(reply);
      queueMicrotask(() => callback(result as Result<Pages<unknown>>)); // an error thrown there is the app's uncaught error
    });
  }
  then<A = Pages<unknown>, B = never>(
    onResult?: ((result: Pages<unknown>) => A | PromiseLike<A>) | null,
    onError?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#result ??= new Promise((resolve, reject) => {
      this.#send((reply) => ('error' in reply ? reject(new OsapiError(reply.error)) : resolve(this.#deliver(reply))));
    });
    return this.#result.then(onResult, onError);
  }
  subscribe(listener: (result: Pages<unknown>) => void, onError?: (error: OsapiError) => void): () => void {
    const request = this.#request;
    const fail = onError ?? ((error) => reportUnhandled(this.#connection, request.operation, error));
    const push = (reply: Reply): void => {
      if ('error' in reply) fail(new OsapiError(reply.error));
      else listener(this.#deliver(reply));
    };
    if (!('error' in request)) return this.#connection.watch(request, push);
    queueMicrotask(() => push(request));
    return () => {};
  }
  async *[Symbol.asyncIterator](): AsyncGenerator<unknown> {
    yield* await this;
  }

  #send(answer: (reply: Reply) => void): void {
    const request = this.#request;
    if ('error' in request) answer({ error: request.error });
    else this.#connection.send(request, answer, this.#options);
  }
  #deliver(reply: Delivered): Pages<unknown> {
    return deliver(reply, (first) => this.#nextPages(first)) as Pages<unknown>;
  }
  async *#nextPages({ startIndex, itemsPerPage, totalResults }: Collection<unknown>): AsyncGenerator<unknown> {
    const request = this.#request;
    if ('error' in request || itemsPerPage <= 0) return;
    for (let start = startIndex + itemsPerPage; start < totalResults; start += itemsPerPage) {
      const params = { ...JSON.parse(request.params), startIndex: start };
      const page = await createRequest(this.#connection, request.operation, params, this.#options);
      yield* page.list;
    }
  }
}

/** A request whose parameters cannot be sent. */
interface FailedRequest extends Failure {
  readonly operation: string;
}

// As JSON, so that functions are dropped, dates become text and every site gets the same.
function plainRequest(operation: string, params: object, write?: WriteOptions): AppRequest | FailedRequest {
  try {
    const text: string | undefined = JSON.stringify(params);
    if (text?.startsWith('{')) return write ? { operation, params: text, write } : { operation, params: text };
  } catch {
    // a cycle or a bigint
  }
  return { operation, error: appError('BAD_REQUEST', `The parameters of ${operation} must be a plain object.`) };
}
