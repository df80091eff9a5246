import cluster from 'node:cluster';
import { once } from 'node:events';
import type { HandedConnections } from '../http/node-server.ts';
import { UsageError } from '../setup/usage-error.ts';
import { type Acceptor, takeHandedConnections } from './acceptor.ts';
import { type HashPermits, permitsVariable } from './hash-permits.ts';
import type { WorkerMetrics } from './worker-metrics.ts';

interface Message {
  /** Sent by a worker when it is ready: its URL. */
  readonly readyAt?: string;
  /** Sent to a worker that was replaced. */
  readonly retire?: true;
}

/** Variable with the port whose connections a worker receives. */
const portVariable = 'GANTRY_HANDED_PORT';

/** Variable that selects one of several equal workers for the checks at the start. */
const checksVariable = 'GANTRY_CHECKS_START';

/** Version of the messages between workers and primary: a release with other messages raises it. */
const protocol = '1';
const protocolVariable = 'GANTRY_WORKER_PROTOCOL';

/** A worker, as the primary process sees it. */
export type WorkerProcess = ReturnType<typeof startWorker>;

/** Starts a worker. @param options.checksStart It runs the checks at the start. */
export function startWorker(
  shared: { readonly acceptor: Acceptor; readonly permits: HashPermits; readonly metrics: WorkerMetrics },
  { checksStart }: { readonly checksStart: boolean },
) {
  const { acceptor, permits, metrics } = shared;
  const worker = cluster.fork({
    [portVariable]: String(acceptor.port),
    [permitsVariable]: '1',
    [protocolVariable]: protocol,
    ...(checksStart && { [checksVariable]: '1' }),
  });
  acceptor.add(worker);
  permits.serve(worker);
  metrics.serve(worker);
  worker.on('error', () => {}); // a message to a worker that died; its exit is handled below
  const ended = once(worker, 'exit').then(([code]) => (code as number | null) ?? 1);
  const ready = new Promise<string | undefined>((resolve) => {
    worker.on('message', (message: Message | undefined) => {
      if (message?.readyAt === undefined) return;
      acceptor.markReady(worker);
      resolve(message.readyAt);
    });
    void ended.then(() => resolve(undefined));
  });
  return {
    startedAtMs: Date.now(),
    /** Its URL, or `undefined` if it ended before it was ready. */
    ready,
    /** Its exit code; 1 for a signal. */
    ended,
    /** Lets it finish its requests, since another has replaced it; kills it after `longestMs`. */
    retire(longestMs: number): void {
      acceptor.retire(worker);
      if (worker.isConnected()) worker.send({ retire: true } satisfies Message, () => {});
      const late = setTimeout(() => worker.process.kill('SIGKILL'), longestMs);
      void ended.then(() => clearTimeout(late));
    },
  };
}

/**
 * Returns the connections of a worker that `runWorkers` started.
 *
 * @throws UsageError if the primary process runs a release with other messages.
 */
export function handedConnections(env: NodeJS.ProcessEnv): HandedConnections {
  if (env[protocolVariable] !== protocol) {
    throw new UsageError(
      'This release cannot run beside the running one: restart the service instead of reloading it.',
    );
  }
  return takeHandedConnections(Number(env[portVariable]));
}

/** Reports to the primary process that this worker is ready. */
export function reportReady(url: string): void {
  process.send?.({ readyAt: url } satisfies Message);
}

/** Calls back once another worker has replaced this one. Returns the function that unsubscribes. */
export function onRetire(retire: () => void): () => void {
  if (!cluster.isWorker) return () => {}; // a listener would keep another process's channel open
  const listener = (message: Message | undefined): void => {
    if (message?.retire) retire();
  };
  process.on('message', listener);
  return () => process.off('message', listener);
}

/** Returns whether this process runs the checks at the start: one of several equal workers does. */
export function checksStart(env: NodeJS.ProcessEnv): boolean {
  return !cluster.isWorker || env[checksVariable] !== undefined;
}
