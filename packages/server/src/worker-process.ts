import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { type Acceptor, takeHandedConnections } from './acceptor.ts';
import { type HashPermits, permitsVariable } from './hash-permits.ts';
import type { HandedConnections } from './node-server.ts';
import { UsageError } from './usage-error.ts';

/** Sent by a worker once it answers. */
interface ReadyMessage {
  readonly readyAt: string;
}

/** Sent to a worker: another one has taken its place. */
interface RetireMessage {
  readonly retire: true;
}

/** Tells a worker the port from which it is handed connections. */
const portVariable = 'GANTRY_HANDED_PORT';

/** Tells one worker of several that are set up alike to check how it is reached. */
const checksVariable = 'GANTRY_CHECKS_START';

/**
 * The messages between workers and the process that started them. A new release whose messages differ raises the number: its
 * workers then say so instead of waiting for messages that never come.
 */
const protocol = '1';
const protocolVariable = 'GANTRY_WORKER_PROTOCOL';

/** A worker, seen from the process that started it. */
export interface WorkerProcess {
  readonly startedAtMs: number;
  /** Its address, or `undefined` where it ended before it was ready. */
  readonly ready: Promise<string | undefined>;
  /** Its exit code; 1 for a signal. */
  readonly ended: Promise<number>;
  /**
   * Lets it finish what it has and end, since another has taken its place.
   *
   * @param longestMs Time after which it is killed.
   */
  retire(longestMs: number): void;
}

/** Parts of the primary process that each worker is given. */
export interface Shared {
  readonly acceptor: Acceptor;
  readonly permits: HashPermits;
}

/** @param options.checksStart Whether it tries how it is reached, once it answers. */
export function startWorker(
  { acceptor, permits }: Shared,
  { checksStart }: { readonly checksStart: boolean },
): WorkerProcess {
  const worker = cluster.fork({
    [portVariable]: String(acceptor.port),
    [permitsVariable]: '1',
    [protocolVariable]: protocol,
    ...(checksStart && { [checksVariable]: '1' }),
  });
  acceptor.add(worker);
  permits.serve(worker);
  worker.on('error', () => {}); // one that died could not be told something; its end is what counts
  const ended = once(worker, 'exit').then(([code]) => (code as number | null) ?? 1);
  const answering = readyOf(worker).then((url) => {
    acceptor.answers(worker);
    return url;
  });
  return {
    startedAtMs: Date.now(),
    ready: Promise.race([answering, ended.then(() => undefined)]),
    ended,
    retire(longestMs) {
      acceptor.retire(worker);
      const message: RetireMessage = { retire: true };
      if (worker.isConnected()) worker.send(message, () => {});
      const late = setTimeout(() => worker.process.kill('SIGKILL'), longestMs);
      void ended.then(() => clearTimeout(late));
    },
  };
}

function readyOf(worker: Worker): Promise<string> {
  return new Promise((resolve) => {
    worker.on('message', (message: Partial<ReadyMessage>) => {
      if (typeof message?.readyAt === 'string') resolve(message.readyAt);
    });
  });
}

/**
 * Returns the connections of a worker that `runWorkers` started.
 *
 * @throws UsageError if that process runs a release that this one cannot speak with.
 */
export function handedConnections(env: NodeJS.ProcessEnv): HandedConnections {
  if (env[protocolVariable] !== protocol) {
    throw new UsageError('This release cannot work for the running one: restart the service instead of reloading it.');
  }
  return takeHandedConnections(Number(env[portVariable]));
}

/** Tells the primary process that this worker answers. */
export function tellReady(url: string): void {
  const message: ReadyMessage = { readyAt: url };
  process.send?.(message);
}

/** Calls back once another worker has taken this one's place. Returns what stops listening for that. */
export function onRetire(retire: () => void): () => void {
  if (!cluster.isWorker) return () => {}; // a listener would keep the channel of other processes open
  const hear = (message: Partial<RetireMessage> | undefined): void => {
    if (message?.retire) retire();
  };
  process.on('message', hear);
  return () => process.off('message', hear);
}

/** Returns whether this process checks how it is reached: one of those that are set up alike does. */
export function checksStart(env: NodeJS.ProcessEnv): boolean {
  return !cluster.isWorker || env[checksVariable] !== undefined;
}
