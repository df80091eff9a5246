/** Time for a client that is still sending to finish before its refusal is sent. */
const lingerMs = 1_000;

/**
 * Reads a body to its end and drops it, so that the client reads its answer and the connection can
 * be used again. Resolves with false if it did not end in time: the connection must be closed.
 */
export async function drainBody({ body }: Request): Promise<boolean> {
  if (body === null) return true;
  if (body.locked) return false;
  const reader = body.getReader();
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), lingerMs);
  try {
    for (;;) {
      const next = await Promise.race([reader.read(), late]);
      if (next === undefined) return false;
      if (next.done) return true;
    }
  } catch {
    return false; // the client went away
  } finally {
    clearTimeout(timer);
  }
}
