/**
 * Runs `work` over `items` in order, at most `limit` at a time, and yields each result as soon as it is there. A reader
 * that stops reading stops the rest from starting; a slow one holds them back.
 *
 * @param work Must not reject.
 */
export async function* asReady<T, R>(
  items: Iterable<T>,
  limit: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const running = new Set<Promise<{ result: R; done: () => void }>>();
  for (const item of items) {
    if (running.size >= limit) yield await next();
    const promise = work(item).then((result) => ({ result, done: () => running.delete(promise) }));
    running.add(promise);
  }
  while (running.size > 0) yield await next();

  async function next(): Promise<R> {
    const { result, done } = await Promise.race(running);
    done();
    return result;
  }
}
