/**
 * Runs `work` over `items`, at most `limit` at a time, and yields each result as it completes. Work
 * starts only as results are consumed: a slow consumer delays it, one that stops ends it.
 *
 * @param work Must not reject.
 */
export async function* runConcurrently<T, R>(
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
