import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { hashesAtOnce } from '@gantry/service';
import { type Acceptor, openAcceptor, takeHandedConnections } from './acceptor.ts';
import { defaultLimits } from './edge/limits.ts';
import { createHashPermits, type HashPermits, permitsVariable } from './hash-permits.ts';
import type { HandedConnections } from './node-server.ts';
import { portProblem } from './port-problem.ts';

/** What a worker tells the process that started it, once it answers. */
interface ReadyMessage {
  readonly readyAt: string;
}

const firstPauseMs = 100;
const longestPauseMs = 10_000;

/** A worker that lived so long did not die of its start. */
const healthyMs = 30_000;

/** Tells a worker the port from which it is handed connections. */
const portVariable = 'GANTRY_HANDED_PORT';

export interface WorkersOptions {
  readonly count: number;
  readonly port: number;
  readonly host: string;
  readonly say: (line: string) => void;
  readonly warn: (line: string) => void;
}

/**
 * Runs this command line in `count` processes that share one port, until it is told to stop: then each of them finishes what
 * it accepted. A worker that dies is replaced, after a pause that grows while its successors die too.
 *
 * @returns The exit code: that of a worker which could not even start, else 0.
 * @throws UsageError for a port that is taken or may not be opened.
 */
export async function runWorkers({ count, port, host, say, warn }: WorkersOptions): Promise<number> {
  const stop = new AbortController();
  const isStopping = (): boolean => stop.signal.aborted;
  const acceptor = await openAcceptor({ port, host, backlog: defaultLimits.backlog, isStopping }).catch((error) => {
    throw portProblem(error, port);
  });
  const permits = createHashPermits(hashesAtOnce());
  const start = (): Running => startWorker({ acceptor, permits });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      stop.abort();
      if (signal === 'SIGINT' && process.stdin.isTTY) return; // Ctrl-C has reached every process of the terminal
      for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill(signal);
    });
  }
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM')); // the end of whoever started us
  process.channel?.unref();

  // The first one alone: it brings the schema up to date, and a fault in the configuration is said once.
  const first = start();
  const url = await first.ready;
  if (url === undefined) {
    acceptor.abandon();
    return isStopping() ? 0 : (await first.ended) || 1;
  }
  const rest = Array.from({ length: count - 1 }, start);
  await Promise.all(rest.map(({ ready }) => ready));
  if (!isStopping()) say(`Gantry ready at ${url}, ${count} workers`);
  await Promise.all([first, ...rest].map(keep));
  acceptor.abandon();
  return 0;

  async function keep(running: Running): Promise<void> {
    let current = running;
    let waitMs = firstPauseMs;
    for (;;) {
      const code = await current.ended;
      if (isStopping()) return;
      waitMs = Date.now() - current.startedAtMs > healthyMs ? firstPauseMs : waitMs;
      warn(`A worker ended (${code}); another one starts in ${waitMs} ms.`);
      await pause(waitMs, undefined, { signal: stop.signal }).catch(() => undefined);
      if (isStopping()) return;
      waitMs = Math.min(2 * waitMs, longestPauseMs);
      current = start();
    }
  }
}

interface Running {
  readonly startedAtMs: number;
  /** Its address, or `undefined` where it ended before it was ready. */
  readonly ready: Promise<string | undefined>;
  /** Its exit code; 1 for a signal. */
  readonly ended: Promise<number>;
}

/** Parts of the primary process that each worker is given. */
interface Shared {
  readonly acceptor: Acceptor;
  readonly permits: HashPermits;
}

function startWorker({ acceptor, permits }: Shared): Running {
  const worker = cluster.fork({ [portVariable]: String(acceptor.port), [permitsVariable]: '1' });
  acceptor.add(worker);
  permits.serve(worker);
  worker.on('error', () => {}); // one that died could not be told something; its end is what counts
  const ended = once(worker, 'exit').then(([code]) => (code as number | null) ?? 1);
  return { startedAtMs: Date.now(), ready: Promise.race([readyOf(worker), ended.then(() => undefined)]), ended };
}

function readyOf(worker: Worker): Promise<string> {
  return new Promise((resolve) => {
    worker.on('message', (message: Partial<ReadyMessage>) => {
      if (typeof message?.readyAt === 'string') resolve(message.readyAt);
    });
  });
}

/** The connections of a worker that `runWorkers` started. */
export function handedConnections(env: NodeJS.ProcessEnv): HandedConnections {
  return takeHandedConnections(Number(env[portVariable]));
}

/** Tells the primary process that this worker answers. */
export function tellReady(url: string): void {
  const message: ReadyMessage = { readyAt: url };
  process.send?.(message);
}
