/**
 * Waits for work in a page, which may never end while a script of the app runs.
 *
 * @throws Error `what` after `timeoutMs`.
 */
export async function inTime<T>(work: Promise<T>, timeoutMs: number, what: string): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(what)), timeoutMs);
  work.catch(() => {}); // ignored: nothing awaits it any more
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the first line of an error, without the colours of Playwright's log. */
export function lineOf(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n', 1);
  return line;
}
