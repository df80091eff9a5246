/** A part of the container that is fetched when it is first needed. */
export interface Lazy<T> {
  /** Present once it is fetched. */
  readonly value: T | undefined;
  /** Fetches it once. Rejects where that fails, and the next call tries again. */
  load(): Promise<T>;
  /** Calls `use` with it, at once if it is present, and not at all where it cannot be fetched. */
  use(use: (value: T) => void): void;
}

export function lazy<T>(fetch: () => Promise<T>): Lazy<T> {
  let loading: Promise<T> | undefined;
  const part: Lazy<T> & { value: T | undefined } = {
    value: undefined,
    load() {
      loading ??= fetch().then(
        (fetched) => {
          part.value = fetched;
          return fetched;
        },
        (cause) => {
          loading = undefined;
          throw cause;
        },
      );
      return loading;
    },
    use(use) {
      if (part.value) use(part.value);
      else part.load().then(use, () => undefined);
    },
  };
  return part;
}
