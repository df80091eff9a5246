import cluster from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import { hashesAtOnce } from '@gantry/service';
import { openAcceptor } from './acceptor.ts';
import { hasControllingTerminal } from './controlling-terminal.ts';
import { defaultLimits } from './edge/limits.ts';
import { createHashPermits } from './hash-permits.ts';
import type { ListenPlace } from './inherited-socket.ts';
import { portProblem } from './port-problem.ts';
import { createReplacement, type WorkerSlot } from './replace-workers.ts';
import { startWorker, type WorkerProcess } from './worker-process.ts';

const firstPauseMs = 100;
const longestPauseMs = 10_000;

/** A worker that lived so long did not die of its start. */
const healthyMs = 30_000;

export interface WorkersOptions extends ListenPlace {
  readonly count: number;
  readonly say: (line: string) => void;
  readonly warn: (line: string) => void;
  /** Time after which a worker that was replaced is killed; for tests, which do not wait for the slowest upload. */
  readonly retireMs?: number;
}

/**
 * Runs this command line in `count` processes that share one port, until it is told to stop: then each of them finishes what
 * it accepted. A worker that dies is replaced, after a pause that grows while its successors die too. SIGHUP to a process without a
 * terminal replaces all of them in turn, by what lies on the disk then.
 *
 * @returns The exit code: that of a worker which could not even start, else 0.
 * @throws UsageError for a port that is taken or may not be opened.
 */
export async function runWorkers(options: WorkersOptions): Promise<number> {
  const { count, say, warn, retireMs = defaultLimits.uploadMs + defaultLimits.requestMs } = options;
  const stop = new AbortController();
  const isStopping = (): boolean => stop.signal.aborted;
  const acceptor = await openAcceptor({ ...options, backlog: defaultLimits.backlog, isStopping }).catch((error) => {
    throw portProblem(error, options.port);
  });
  const shared = { acceptor, permits: createHashPermits(hashesAtOnce()) };
  const start = (role: { readonly checksStart: boolean }): WorkerProcess => startWorker(shared, role);
  const stopsOnHangUp = hasControllingTerminal();
  let replace = (): void => {
    isReplacementWanted = true; // what is starting may have been read before it changed
  };
  let isReplacementWanted = false;
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (signal === 'SIGHUP' && !stopsOnHangUp) return replace();
      stop.abort();
      if (signal === 'SIGINT' && process.stdin.isTTY) return; // Ctrl-C has reached every process of the terminal
      for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill(signal);
    });
  }
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM')); // the end of whoever started us
  process.channel?.unref();

  // The first one alone: it brings the schema up to date, and a fault in the configuration is said once.
  const first = start({ checksStart: true });
  const url = await first.ready;
  if (url === undefined) {
    acceptor.abandon();
    return isStopping() ? 0 : (await first.ended) || 1;
  }
  const rest = Array.from({ length: count - 1 }, () => start({ checksStart: false }));
  await Promise.all(rest.map(({ ready }) => ready));
  const slots = [first, ...rest].map((current): WorkerSlot => ({ current }));
  if (!isStopping()) say(`Gantry ready at ${url}, ${count} worker${count === 1 ? '' : 's'}`);
  replace = createReplacement({ slots, start, isStopping, say, warn, retireMs });
  if (isReplacementWanted) replace();
  await Promise.all(slots.map(keep));
  acceptor.abandon();
  return 0;

  async function keep(slot: WorkerSlot): Promise<void> {
    let waitMs = firstPauseMs;
    for (;;) {
      const { current } = slot;
      const code = await current.ended;
      if (isStopping()) return;
      if (slot.current !== current) continue; // it was replaced
      waitMs = Date.now() - current.startedAtMs > healthyMs ? firstPauseMs : waitMs;
      warn(`A worker ended (${code}); another one starts in ${waitMs} ms.`);
      await pause(waitMs, undefined, { signal: stop.signal }).catch(() => undefined);
      if (isStopping()) return;
      waitMs = Math.min(2 * waitMs, longestPauseMs);
      if (slot.current === current) slot.current = start({ checksStart: false });
    }
  }
}
