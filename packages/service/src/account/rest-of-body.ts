/** How long a client that is still sending gets to finish, before it is answered that it was in vain. */
const lingerMs = 1_000;

/**
 * Receives and drops what is still to come of a body, so that the client reads its answer and the connection can be used again.
 *
 * @returns False where it did not end in time: the connection is of no more use.
 */
export async function dropRest({ body }: Request): Promise<boolean> {
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
