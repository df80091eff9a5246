import type { ServerResponse } from 'node:http';

/** Requests that a site's own server passed on and that have no complete response yet. */
export type OpenRequests = ReturnType<typeof createOpenRequests>;

export function createOpenRequests() {
  const open = new Set<ServerResponse>();
  let isStopping = false;
  let onEmpty = (): void => {};

  return {
    /** True once `drain` was called. */
    get isStopping(): boolean {
      return isStopping;
    },
    /** Counts a request until its response is sent or its client disconnects. */
    add(outgoing: ServerResponse): void {
      open.add(outgoing);
      outgoing.once('close', () => {
        open.delete(outgoing);
        if (open.size === 0) onEmpty();
      });
    },
    /** Resolves when all are complete, at the latest after `deadlineMs`. */
    async drain(deadlineMs: number): Promise<void> {
      isStopping = true;
      if (open.size === 0) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const late = setTimeout(resolve, deadlineMs);
      onEmpty = resolve;
      await promise;
      clearTimeout(late);
    },
  };
}
