import cluster from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import { hashesAtOnce } from '@gantry/service';
import { countText } from '@gantry/wire/runtime';
import { defaultLimits } from '../edge/limits.ts';
import { type ListenPlace, listenProblem } from '../setup/listen-place.ts';
import { openAcceptor } from './acceptor.ts';
import { hasControllingTerminal } from './controlling-terminal.ts';
import { createHashPermits } from './hash-permits.ts';
import { createReplacement, type WorkerSlot } from './replace-workers.ts';
import { createWorkerMetrics } from './worker-metrics.ts';
import { startWorker, type WorkerProcess } from './worker-process.ts';

const firstPauseMs = 100;
const longestPauseMs = 10_000;

/** A worker that ran for so long did not fail at its start. */
const healthyMs = 30_000;

export interface WorkersOptions extends ListenPlace {
  readonly count: number;
  readonly say: (line: string) => void;
  readonly warn: (line: string) => void;
  /** Time after which a replaced worker is killed; tests do not wait for slow uploads. */
  readonly retireMs?: number;
}

/**
 * Runs this command line in `count` processes of one port until it is stopped; then each finishes
 * its accepted requests. A worker that dies is replaced, after a pause that grows if its successors
 * die too. SIGHUP without a terminal replaces all workers in turn by the installed release.
 *
 * @returns The exit code: that of a first worker that failed to start, else 0.
 * @throws UsageError for a port that is taken or not permitted.
 */
export async function runWorkers(options: WorkersOptions): Promise<number> {
  const { count, say, warn, retireMs = defaultLimits.uploadMs + defaultLimits.requestMs } = options;
  const stop = new AbortController();
  const isStopping = (): boolean => stop.signal.aborted;
  const acceptor = await openAcceptor({ ...options, backlog: defaultLimits.backlog, isStopping }).catch((error) => {
    throw listenProblem(error, options);
  });
  const shared = { acceptor, permits: createHashPermits(hashesAtOnce()), metrics: createWorkerMetrics() };
  const start = (role: { readonly checksStart: boolean }): WorkerProcess => startWorker(shared, role);
  const stopsOnHangUp = hasControllingTerminal();
  let replace = (): void => {
    isReplacementWanted = true; // starting workers may have read the files before they changed
  };
  let isReplacementWanted = false;
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (signal === 'SIGHUP' && !stopsOnHangUp) return replace();
      stop.abort();
      if (signal === 'SIGINT' && process.stdin.isTTY) return; // Ctrl-C reached every process of the terminal
      for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill(signal);
    });
  }
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM')); // the process that started this one has ended
  process.channel?.unref();

  // The first one alone: it migrates the database, and reports configuration errors once.
  const first = start({ checksStart: true });
  const url = await first.ready;
  if (url === undefined) {
    acceptor.abandon();
    return isStopping() ? 0 : (await first.ended) || 1;
  }
  const rest = Array.from({ length: count - 1 }, () => start({ checksStart: false }));
  await Promise.all(rest.map(({ ready }) => ready));
  const slots = [first, ...rest].map((current): WorkerSlot => ({ current }));
  if (!isStopping()) say(`Gantry ready at ${url}, ${countText(count, 'worker')}`);
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
