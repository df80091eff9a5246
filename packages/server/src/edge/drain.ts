import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

interface Use {
  requests: number;
  /** The last request whose headers arrived. */
  last: IncomingMessage | undefined;
  onIdle: () => void;
  /** Bytes received when the last response was done: more mean that another request has begun. */
  bytesRead: number;
  idleSinceMs: number;
}

// A client that just connected or had a response may be sending a request. It gets a response too,
// as its last.
const recentMs = 1_000;
const checkEveryMs = 20;

/** Tracks connections. @param deadlineMs Time for a request that is arriving as the stop begins. */
export function followConnections(server: Server, deadlineMs: number) {
  const uses = new Map<Socket, Use>();
  let isDraining = false;
  let onEmpty = (): void => {};
  server.on('connection', (socket: Socket) => {
    uses.set(socket, { requests: 0, last: undefined, onIdle: () => {}, bytesRead: 0, idleSinceMs: performance.now() });
    socket.once('close', () => {
      uses.delete(socket);
      if (uses.size === 0) onEmpty();
    });
  });

  function isUnused(socket: Socket, { requests, bytesRead, idleSinceMs }: Use): boolean {
    return requests === 0 && socket.bytesRead === bytesRead && performance.now() - idleSinceMs >= recentMs;
  }

  return {
    /** Set by `drain`: each response from then on is the last of its connection. */
    get isDraining(): boolean {
      return isDraining;
    },
    /** Marks a connection as busy until its response is done. */
    busy(incoming: IncomingMessage, outgoing: ServerResponse): void {
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
    /**
     * Resolves when a response may follow on a connection: at once, or after the responses of
     * complete requests before it. False: never, since it would be taken for one of theirs.
     */
    async nextResponse(socket: Socket): Promise<boolean> {
      const use = uses.get(socket);
      if (!use || use.requests === 0) return true;
      if (use.last?.complete === false) return use.requests === 1; // the response is for this request
      const { promise, resolve } = Promise.withResolvers<void>();
      use.onIdle = resolve;
      await promise;
      return true;
    },
    /** Returns the target of the request whose body is still arriving, if any. */
    arriving(socket: Socket): string | undefined {
      const last = uses.get(socket)?.last;
      return last?.complete === false ? last.url : undefined;
    },
    /** Resolves when every accepted request has its response and `stopAccepting` resolved. */
    async drain(stopAccepting: () => Promise<void>): Promise<void> {
      isDraining = true;
      await stopAccepting();
      if (uses.size === 0) return;
      const endAtMs = performance.now() + deadlineMs;
      const sweep = (): void => {
        const isLate = performance.now() >= endAtMs;
        for (const [socket, use] of uses) if (isLate ? use.requests === 0 : isUnused(socket, use)) socket.destroy();
      };
      // After this pass of the event loop, which reads requests that have arrived.
      const timer = setInterval(() => setImmediate(sweep), checkEveryMs);
      await new Promise<void>((resolve) => {
        onEmpty = resolve;
      });
      clearInterval(timer);
    },
  };
}
