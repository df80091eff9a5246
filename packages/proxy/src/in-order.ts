/**
 * Keeps the order that calls of one request mean: what follows a write of the same app begins when the write is done, so
 * that it sees it, and a later write wins. Reads beside each other wait for nobody.
 */
export function createOrder(): <T>(
  call: { readonly app: string; readonly isWrite: boolean },
  work: () => Promise<T>,
) => Promise<T> {
  const writes = new Map<string, Promise<unknown>>(); // the last of each app

  return ({ app, isWrite }, work) => {
    const earlier = writes.get(app);
    const result = earlier ? earlier.then(work) : work();
    if (isWrite) {
      writes.set(
        app,
        result.catch(() => undefined),
      );
    }
    return result;
  };
}
