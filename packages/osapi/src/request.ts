import {
  type AppRequest,
  type ContainerConnection,
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
  return new Call(connection, { operation, params: textOf(params), write: options?.write }, options);
}

// A class, because apps make hundreds in a tick: closures would cost more than the call.
class Call implements CollectionRequest<unknown> {
  readonly #connection: ContainerConnection;
  readonly #request: AppRequest;
  readonly #options: SendOptions | undefined;
  #result: Promise<Pages<unknown>> | undefined;

  constructor(connection: ContainerConnection, request: AppRequest, options: SendOptions | undefined) {
    this.#connection = connection;
    this.#request = request;
    this.#options = options;
  }

  execute(callback?: (result: Result<Pages<unknown>>) => void): void {
    this.#connection.send(
      this.#request,
      (reply) => {
        if (typeof callback !== 'function') {
          if ('error' in reply) reportUnhandled(this.#connection, this.#request.operation, reply.error);
          return;
        }
        const result = 'error' in reply ? reply : this.#deliver(reply);
        queueMicrotask(() => callback(result as Result<Pages<unknown>>)); // an error thrown there is the app's uncaught error
      },
      this.#options,
    );
  }
  then<A = Pages<unknown>, B = never>(
    onResult?: ((result: Pages<unknown>) => A | PromiseLike<A>) | null,
    onError?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#result ??= new Promise((resolve, reject) => {
      const answer = (reply: Reply) =>
        'error' in reply ? reject(new OsapiError(reply.error)) : resolve(this.#deliver(reply));
      this.#connection.send(this.#request, answer, this.#options);
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
    return this.#connection.watch(request, push);
  }
  async *[Symbol.asyncIterator](): AsyncGenerator<unknown> {
    yield* await this;
  }

  #deliver(reply: Delivered): Pages<unknown> {
    return deliver(reply, (first) => this.#nextPages(first)) as Pages<unknown>;
  }
  async *#nextPages({ startIndex, itemsPerPage, totalResults }: Collection<unknown>): AsyncGenerator<unknown> {
    const request = this.#request;
    for (let start = startIndex + itemsPerPage; itemsPerPage > 0 && start < totalResults; start += itemsPerPage) {
      const params = { ...JSON.parse(request.params), startIndex: start };
      const page = await createRequest(this.#connection, request.operation, params, this.#options);
      yield* page.list;
    }
  }
}

// As JSON, so that functions are dropped, dates become text and every site gets the same.
function textOf(params: object): string {
  try {
    return JSON.stringify(params) ?? '';
  } catch {
    return ''; // a cycle or a bigint: the page refuses it
  }
}
