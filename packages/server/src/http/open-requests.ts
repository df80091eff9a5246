import type { ServerResponse } from 'node:http';

/** Requests that a site's own server passed on and that have no complete response yet. */
export interface OpenRequests {
  /** True once `drain` was called. */
  readonly isStopping: boolean;
  /** Counts a request until its response is sent or its client disconnects. */
  add(outgoing: ServerResponse): void;
  /** Resolves when all are complete, at the latest after `deadlineMs`. */
  drain(deadlineMs: number): Promise<void>;
}

export function createOpenRequests(): OpenRequests {
  const open = new Set<ServerResponse>();
  let isStopping = false;
  let onEmpty = (): void => {};

  return {
    get isStopping() {
      return isStopping;
    },
    add(outgoing) {
      open.add(outgoing);
      outgoing.once('close', () => {
        open.delete(outgoing);
        if (open.size === 0) onEmpty();
      });
    },
    async drain(deadlineMs) {
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
