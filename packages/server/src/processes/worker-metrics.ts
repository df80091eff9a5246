import type { Worker } from 'node:cluster';
import { AggregatorRegistry, type Registry } from 'prom-client';
import type { ProcessMetrics, ShareMetrics } from '../telemetry/metrics.ts';
import type { ParentLink } from './hash-permits.ts';

/**
 * Messages between workers and primary process: a worker asks for the metrics of all (`wanted`),
 * each is asked for its own (`read`) and sends them (`own`), and the first gets those of all.
 */
type MetricsMessage =
  | { readonly metrics: 'wanted' | 'read' }
  | { readonly metrics: 'own'; readonly values: ProcessMetrics }
  | { readonly metrics: 'all'; readonly values: readonly ProcessMetrics[] };

type Link = Pick<Worker, 'on' | 'send' | 'isConnected'>;

/** Time to wait for a busy worker, whose last metrics then count. */
const patienceMs = 1_000;

/** The primary process's collection of the metrics of all workers. */
export type WorkerMetrics = ReturnType<typeof createWorkerMetrics>;

/**
 * Makes the collection of the metrics of all workers. Counters of a worker that ended stay in it as
 * they were last read, so that sums never fall.
 */
export function createWorkerMetrics() {
  const latest = new Map<Link, ProcessMetrics>();
  const ended: ProcessMetrics[] = [];
  let onRead = (_worker: Link): void => {};
  let reading: Promise<readonly ProcessMetrics[]> | undefined;

  async function readAll(): Promise<readonly ProcessMetrics[]> {
    const missing = new Set([...latest.keys()].filter((worker) => worker.isConnected()));
    const { promise, resolve } = Promise.withResolvers<void>();
    onRead = (worker) => {
      missing.delete(worker);
      if (missing.size === 0) resolve();
    };
    const late = setTimeout(resolve, patienceMs);
    for (const worker of missing) worker.send({ metrics: 'read' } satisfies MetricsMessage, () => {});
    if (missing.size > 0) await promise;
    clearTimeout(late);
    const total = await sumOf(ended.splice(0)).getMetricsAsJSON();
    ended.push(total);
    reading = undefined;
    return [...ended, ...latest.values()];
  }

  return {
    /** Serves a worker until it ends. */
    serve(worker: Link): void {
      latest.set(worker, []);
      worker.on('message', async (message: MetricsMessage | undefined) => {
        if (message?.metrics === 'own') {
          if (latest.has(worker)) latest.set(worker, message.values);
          onRead(worker);
        } else if (message?.metrics === 'wanted') {
          reading ??= readAll();
          const values = await reading;
          if (worker.isConnected()) worker.send({ metrics: 'all', values } satisfies MetricsMessage, () => {});
        }
      });
      worker.on('exit', () => {
        ended.push((latest.get(worker) ?? []).filter(({ type }) => totals.has(String(type))));
        latest.delete(worker);
        onRead(worker);
      });
    },
  };
}

const totals: ReadonlySet<string> = new Set(['counter', 'histogram', 'summary']);

/**
 * Makes a worker's `ShareMetrics`: the metrics of all workers, or its own if the primary process
 * does not answer.
 */
export function shareMetrics(parent: ParentLink): ShareMetrics {
  return (own) => createSharedText(parent, own);
}

function createSharedText(parent: ParentLink, own: () => Promise<ProcessMetrics>): () => Promise<string> {
  let waiting: ((all: readonly ProcessMetrics[]) => void)[] = [];
  const send = (message: MetricsMessage): void => {
    if (parent.connected) parent.send?.(message, undefined, undefined, () => {});
  };
  parent.on('message', async (message: MetricsMessage | undefined) => {
    if (message?.metrics === 'read') send({ metrics: 'own', values: await own() });
    if (message?.metrics !== 'all') return;
    for (const resolve of waiting.splice(0)) resolve(message.values);
  });
  return async () => {
    const { promise, resolve } = Promise.withResolvers<readonly ProcessMetrics[]>();
    waiting.push(resolve);
    send({ metrics: 'wanted' });
    const late = setTimeout(async () => resolve([await own()]), 2 * patienceMs);
    const all = await promise;
    clearTimeout(late);
    waiting = waiting.filter((one) => one !== resolve);
    return sumOf(all).metrics();
  };
}

/** Aggregates each metric as its `aggregator` says, by default to a sum. */
function sumOf(all: readonly ProcessMetrics[]): Registry {
  return AggregatorRegistry.aggregate(all.map((one) => [...one]));
}
