import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Follows connections from the first byte, so that a stop can tell which of them nobody waits for. */
export interface Connections {
  /** True once `drain` was called: each answer from then on is the last of its connection. */
  readonly isDraining: boolean;
  /** Marks a connection as busy until its answer is done. */
  busy(incoming: IncomingMessage, outgoing: ServerResponse): void;
  /**
   * Says when what follows on a connection can be answered: at once, after the answers of whole requests before it, or never,
   * where an answer would be taken for one of theirs.
   */
  nextAnswer(socket: Socket): Promise<boolean>;
  /** The target of the request whose body is still arriving, if there is one. */
  arriving(socket: Socket): string | undefined;
  /**
   * Resolves when every accepted request has its answer.
   *
   * @param stopAccepting Resolves once no more connections come.
   */
  drain(stopAccepting: () => Promise<void>): Promise<void>;
}

interface Use {
  requests: number;
  /** The last request of which the headers came. */
  last: IncomingMessage | undefined;
  onIdle: () => void;
  /** Bytes received when the last answer was done: more than these are the beginning of another request. */
  bytesRead: number;
  idleSinceMs: number;
}

// A client that just connected or had an answer may be sending a request. It gets that answered too, as the last one.
const recentMs = 1_000;
const lookEveryMs = 20;

/** @param deadlineMs How long a request that is still arriving when the stop begins may take. */
export function followConnections(server: Server, deadlineMs: number): Connections {
  const uses = new Map<Socket, Use>();
  let isDraining = false;
  let onEmpty = (): void => {};
  server.on('connection', (socket: Socket) => {
    uses.set(socket, {
      requests: 0,
      last: undefined,
      onIdle: () => {},
      bytesRead: 0,
      idleSinceMs: performance.now(),
    });
    socket.once('close', () => {
      uses.delete(socket);
      if (uses.size === 0) onEmpty();
    });
  });

  function isUnused(socket: Socket, { requests, bytesRead, idleSinceMs }: Use): boolean {
    return requests === 0 && socket.bytesRead === bytesRead && performance.now() - idleSinceMs >= recentMs;
  }

  return {
    get isDraining() {
      return isDraining;
    },
    busy(incoming, outgoing) {
      const { socket } = incoming;
      const use = uses.get(socket);
      if (!use) return;
      use.requests++;
      use.last = incoming;
      outgoing.once('close', () => {
        use.requests--;
        use.bytesRead = socket.bytesRead;
        use.idleSinceMs = performance.now();
        if (use.requests === 0) use.onIdle();
      });
    },
    async nextAnswer(socket) {
      const use = uses.get(socket);
      if (!use || use.requests === 0) return true;
      if (use.last?.complete === false) return use.requests === 1; // it is about this very request
      const { promise, resolve } = Promise.withResolvers<void>();
      use.onIdle = resolve;
      await promise;
      return true;
    },
    arriving(socket) {
      const last = uses.get(socket)?.last;
      return last?.complete === false ? last.url : undefined;
    },
    async drain(stopAccepting) {
      isDraining = true;
      await stopAccepting();
      if (uses.size === 0) return;
      const endAtMs = performance.now() + deadlineMs;
      const sweep = (): void => {
        const isLate = performance.now() >= endAtMs;
        for (const [socket, use] of uses) if (isLate ? use.requests === 0 : isUnused(socket, use)) socket.destroy();
      };
      // After this pass of the event loop, which reads the requests that have arrived.
      const timer = setInterval(() => setImmediate(sweep), lookEveryMs);
      await new Promise<void>((resolve) => {
        onEmpty = resolve;
      });
      clearInterval(timer);
    },
  };
}
