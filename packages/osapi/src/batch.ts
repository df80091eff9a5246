import type { OsapiRequest, Result } from './request.ts';

/** Results by key. A request that failed has `{error}`; the others keep their results. */
export type BatchResults = Readonly<Record<string, Result<unknown>>>;

/** Several requests that are sent together. */
export interface Batch extends PromiseLike<BatchResults> {
  /** Adds a request. Ignores `undefined`, so that a service which the site lacks needs no `if`. */
  add(key: string, request: OsapiRequest<unknown> | undefined): Batch;
  /** Sends all requests. `callback` runs once, asynchronously, when every one has its result. */
  execute(callback?: (results: BatchResults) => void): void;
}

export function createBatch(): Batch {
  const requests = new Map<string, OsapiRequest<unknown>>();

  async function send(): Promise<BatchResults> {
    const results = [...requests].map(
      ([key, request]) =>
        new Promise<[string, Result<unknown>]>((resolve) => request.execute((result) => resolve([key, result]))),
    );
    return Object.fromEntries(await Promise.all(results));
  }

  return {
    add(key, request) {
      if (request) requests.set(key, request);
      return this;
    },
    execute(callback) {
      send().then(
        (results) => queueMicrotask(() => callback?.(results)),
        (error: unknown) =>
          queueMicrotask(() => {
            throw error; // an invalid request is the app's uncaught error
          }),
      );
    },
    then: (onResults, onError) => send().then(onResults, onError),
  };
}
