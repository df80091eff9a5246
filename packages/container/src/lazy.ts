/** A part of the container that is fetched when it is first needed. */
export interface Lazy<T> {
  /** Present once it is fetched. */
  readonly value: T | undefined;
  /** Fetches it once. Rejects where that fails, and the next call tries again. */
  load(): Promise<T>;
}

export function lazy<T>(fetch: () => Promise<T>): Lazy<T> {
  let value: T | undefined;
  let loading: Promise<T> | undefined;
  return {
    get value() {
      return value;
    },
    load() {
      loading ??= fetch().then(
        (fetched) => {
          value = fetched;
          return fetched;
        },
        (cause) => {
          loading = undefined;
          throw cause;
        },
      );
      return loading;
    },
  };
}
