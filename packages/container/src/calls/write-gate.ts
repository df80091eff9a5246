import type { Session } from './session.ts';

/** Keeps reads of a session behind its writes, in the same POST where possible. */
export type WriteGate = ReturnType<typeof createWriteGate>;

export function createWriteGate() {
  const gates = new WeakMap<Session, Promise<void>>();

  async function untilOpen(session: Session): Promise<void> {
    while (gates.has(session)) await gates.get(session);
  }

  return {
    /** Holds reads back while a write is on its way into the queue. Returns the end of it. */
    close(session: Session): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      gates.set(session, promise);
      return () => {
        // At once: a read of the same tick must not wait behind the next write.
        if (gates.get(session) === promise) gates.delete(session);
        resolve();
      };
    },
    /** Resolves when no write of the session is on its way; undefined if that is so already. */
    wait: (session: Session): Promise<void> | undefined => (gates.has(session) ? untilOpen(session) : undefined),
  };
}
