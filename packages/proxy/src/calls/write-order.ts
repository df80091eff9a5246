/**
 * Orders the calls of one request: each begins when the earlier writes of its app are done, so that
 * reads see them and the last write wins. Reads run concurrently.
 */
export function createWriteOrder(): <T>(
  call: { readonly app: string; readonly isWrite: boolean },
  work: () => Promise<T>,
) => Promise<T> {
  const lastWrites = new Map<string, Promise<unknown>>(); // by app

  return ({ app, isWrite }, work) => {
    const earlier = lastWrites.get(app);
    const result = earlier === undefined ? work() : earlier.then(work);
    if (isWrite)
      lastWrites.set(
        app,
        result.catch(() => undefined),
      );
    return result;
  };
}
