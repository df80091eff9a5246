import type { OsapiRequest, Result } from './request.ts';

/** Results by key. One that failed is `{error}` and leaves the others. */
export type BatchResults = Readonly<Record<string, Result<unknown>>>;

/** Several requests that are sent together. */
export interface Batch extends PromiseLike<BatchResults> {
  /** Skips `undefined`, so that a service which the site lacks needs no `if`. */
  add(key: string, request: OsapiRequest<unknown> | undefined): Batch;
  /** Sends all. `callback` runs once, later, when every request has its result. */
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
      send().then((results) => queueMicrotask(() => callback?.(results)));
    },
    then: (onResults, onError) => send().then(onResults, onError),
  };
}
