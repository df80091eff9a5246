import type { Worker } from 'node:cluster';
import { createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { closeListener } from '../edge/close-listener.ts';
import type { HandedConnections } from '../http/node-server.ts';
import { type ListenPlace, listenAt } from '../setup/listen-place.ts';

/**
 * Message about connections: a worker requests one more (`take`) or no more (`end`), and is sent a
 * socket (`one`), and `ended` after the last.
 */
interface ConnectionMessage {
  readonly connections: 'take' | 'end' | 'one' | 'ended';
}

/** Time to wait for the other workers of a common stop. */
const togetherMs = 200;

/** The port of several workers. One process accepts, so that a stop can empty the queue. */
export type Acceptor = Awaited<ReturnType<typeof openAcceptor>>;

/**
 * Opens the port of several workers. Node's own distribution resets waiting connections when the
 * last worker stops listening, so it is not used. Here, stopping workers keep what they have until
 * all of them stop, so that few new connections come while the port closes; they end once what came
 * is sent to them. @throws The listener's error, for example `EADDRINUSE`.
 */
export async function openAcceptor(
  options: ListenPlace & {
    readonly backlog: number;
    readonly isStopping: () => boolean;
  },
) {
  const waiting: Socket[] = [];
  let free: Worker[] = [];
  const taking = new Set<Worker>();
  const ready = new Set<Worker>();
  const forgotten = new WeakSet<Worker>();
  let closed: Promise<void> | undefined;
  let onAllStopped = (): void => {};
  let onHanded = (): void => {};
  const server = createServer({ pauseOnConnect: true, noDelay: true }, (socket) => {
    socket.on('error', () => {}); // its worker handles it
    waiting.push(socket);
    hand();
  });

  // A worker that is starting may fail, and lose the connections it was sent.
  function nextFree(): Worker | undefined {
    const at = ready.size === 0 ? 0 : free.findIndex((worker) => ready.has(worker));
    return at === -1 ? undefined : free.splice(at, 1)[0];
  }

  function hand(): void {
    while (waiting.length > 0) {
      const message: ConnectionMessage = { connections: 'one' };
      const worker = nextFree();
      if (!worker) break;
      if (worker.isConnected()) worker.send(message, waiting.shift(), {}, () => {});
    }
    if (waiting.length === 0) onHanded();
  }

  /** Resolves when the port is closed and all its connections were sent to workers. */
  async function closeOnce(): Promise<void> {
    const { promise: allStopped, resolve } = Promise.withResolvers<void>();
    onAllStopped = resolve;
    if (taking.size > 0) await Promise.race([allStopped, pause(togetherMs)]);
    await closeListener(server);
    const handed = Promise.withResolvers<void>();
    onHanded = handed.resolve;
    if (waiting.length > 0) await handed.promise;
  }

  function leave(worker: Worker): void {
    taking.delete(worker);
    if (taking.size === 0) onAllStopped();
  }

  function forget(worker: Worker): void {
    forgotten.add(worker); // it may still report that it took its last one
    leave(worker);
    ready.delete(worker);
    free = free.filter((one) => one !== worker);
    hand(); // falls back to a starting worker
  }

  async function end(worker: Worker): Promise<void> {
    if (isStopping()) {
      leave(worker);
      closed ??= closeOnce();
    } else forget(worker); // only this one stops
    await closed;
    const message: ConnectionMessage = { connections: 'ended' };
    if (worker.isConnected()) worker.send(message, () => {});
  }

  const { backlog, isStopping } = options;
  const port = await listenAt(server, { ...options, backlog });
  return {
    port,
    /** Sends connections to a worker, one at a time. Ready workers come first. */
    add(worker: Worker): void {
      worker.once('message', () => taking.add(worker));
      worker.on('exit', () => forget(worker));
      worker.on('message', ({ connections }: Partial<ConnectionMessage>) => {
        if (connections === 'end') void end(worker);
        if (connections !== 'take' || forgotten.has(worker)) return;
        free.push(worker);
        hand();
      });
    },
    markReady(worker: Worker): void {
      if (!forgotten.has(worker)) ready.add(worker);
    },
    /** Sends no more to a worker, since another has replaced it. */
    retire: forget,
    /** Closes everything, for a command that ends without workers. */
    abandon(): void {
      server.close();
      for (const socket of waiting.splice(0)) socket.destroy();
    },
  };
}

/** Returns a worker's connections from the process that accepts them. */
export function takeHandedConnections(port: number): HandedConnections {
  const send = (connections: ConnectionMessage['connections']): void => {
    process.send?.({ connections } satisfies ConnectionMessage);
  };
  let onEnded = (): void => {};
  return {
    port,
    take(onConnection) {
      process.on('message', ({ connections }: Partial<ConnectionMessage>, socket?: Socket) => {
        if (connections === 'ended') onEnded();
        if (connections !== 'one') return;
        send('take');
        if (socket) onConnection(socket); // absent if its client has disconnected
      });
      send('take');
    },
    end: () =>
      new Promise((resolve) => {
        onEnded = resolve;
        send('end');
      }),
  };
}
