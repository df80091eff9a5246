import type { Worker } from 'node:cluster';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { closeListener } from './edge/close-listener.ts';
import { type ListenPlace, listenOptions, portOf } from './inherited-socket.ts';
import type { HandedConnections } from './node-server.ts';

/** Sent by a worker: it can take one more connection, or asks to be sent no more. */
interface FromWorker {
  readonly connections: 'take' | 'end';
}

/** Sent to a worker: with a socket, or after the last one. */
interface ToWorker {
  readonly connections: 'one' | 'ended';
}

/** Time in which workers that were told to stop together are waited for. */
const togetherMs = 200;

/** The port of several worker processes. One process accepts for them, so that a stop can empty the system's queue. */
export interface Acceptor {
  readonly port: number;
  /** Hands connections to a worker from now on, one whenever it has taken the last. While others answer, those come first. */
  add(worker: Worker): void;
  /** Notes that a worker answers. */
  answers(worker: Worker): void;
  /** Hands no more to a worker, since another one has taken its place. */
  retire(worker: Worker): void;
  /** Lets go of everything, for a command that ends without workers. */
  abandon(): void;
}

/**
 * Node's own distribution of connections resets those that wait when the last worker stops listening, so it is not used. Here
 * workers that stop hold what they have until all of them do, so that few new connections come while the port is closed, and are
 * let go once what came is handed over.
 *
 * @throws The listener's error, for example `EADDRINUSE`.
 */
export async function openAcceptor(
  options: ListenPlace & {
    readonly backlog: number;
    /** Returns true once all workers were told to stop. */
    readonly isStopping: () => boolean;
  },
): Promise<Acceptor> {
  const waiting: Socket[] = [];
  let free: Worker[] = [];
  const taking = new Set<Worker>();
  const answering = new Set<Worker>();
  const forgotten = new WeakSet<Worker>();
  let closed: Promise<void> | undefined;
  let onAllAsked = (): void => {};
  let onHanded = (): void => {};
  const server = createServer({ pauseOnConnect: true, noDelay: true }, (socket) => {
    socket.on('error', () => {}); // its worker will see
    waiting.push(socket);
    hand();
  });

  // A worker that starts may fail, and what it was given would be lost with it.
  function nextFree(): Worker | undefined {
    const at = answering.size === 0 ? 0 : free.findIndex((worker) => answering.has(worker));
    return at === -1 ? undefined : free.splice(at, 1)[0];
  }

  function hand(): void {
    while (waiting.length > 0) {
      const message: ToWorker = { connections: 'one' };
      const worker = nextFree();
      if (!worker) break;
      if (worker.isConnected()) worker.send(message, waiting.shift(), {}, () => {});
    }
    if (waiting.length === 0) onHanded();
  }

  /** Resolves when the port is closed and everything that came to it is handed over. */
  async function closeOnce(): Promise<void> {
    const allAsked = new Promise<void>((resolve) => {
      onAllAsked = resolve;
    });
    if (taking.size > 0) await Promise.race([allAsked, pause(togetherMs)]);
    await closeListener(server);
    if (waiting.length === 0) return;
    await new Promise<void>((resolve) => {
      onHanded = resolve;
    });
  }

  function leave(worker: Worker): void {
    taking.delete(worker);
    if (taking.size === 0) onAllAsked();
  }

  function forget(worker: Worker): void {
    forgotten.add(worker); // it may be saying that it has taken its last one
    leave(worker);
    answering.delete(worker);
    free = free.filter((one) => one !== worker);
    hand(); // to one that starts, where none is left that answers
  }

  async function end(worker: Worker): Promise<void> {
    if (isStopping()) {
      leave(worker);
      closed ??= closeOnce();
    } else forget(worker); // it alone stops
    await closed;
    const message: ToWorker = { connections: 'ended' };
    if (worker.isConnected()) worker.send(message, () => {});
  }

  const { backlog, isStopping } = options;
  server.listen({ ...listenOptions(options), backlog });
  await once(server, 'listening');
  return {
    port: portOf(server),
    add(worker) {
      worker.once('message', () => taking.add(worker));
      worker.on('exit', () => forget(worker));
      worker.on('message', ({ connections }: Partial<FromWorker>) => {
        if (connections === 'end') void end(worker);
        if (connections !== 'take' || forgotten.has(worker)) return;
        free.push(worker);
        hand();
      });
    },
    answers(worker) {
      if (!forgotten.has(worker)) answering.add(worker);
    },
    retire: forget,
    abandon() {
      server.close();
      for (const socket of waiting.splice(0)) socket.destroy();
    },
  };
}

/** The worker's side: connections from the process that accepts them. */
export function takeHandedConnections(port: number): HandedConnections {
  const say = (connections: FromWorker['connections']): void => {
    process.send?.({ connections } satisfies FromWorker);
  };
  let onEnded = (): void => {};
  return {
    port,
    take(onConnection) {
      process.on('message', ({ connections }: Partial<ToWorker>, socket?: Socket) => {
        if (connections === 'ended') onEnded();
        if (connections !== 'one') return;
        say('take');
        if (socket) onConnection(socket); // none where its client is gone already
      });
      say('take');
    },
    end: () =>
      new Promise((resolve) => {
        onEnded = resolve;
        say('end');
      }),
  };
}
