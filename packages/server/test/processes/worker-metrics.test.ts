import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { createWorkerMetrics, shareMetrics, type WorkerMetrics } from '../../src/processes/worker-metrics.ts';
import { createMetrics, type Metrics } from '../../src/telemetry/metrics.ts';

interface TestWorker {
  readonly metrics: Metrics;
  /** Ends its process. */
  end(): void;
  /** Stops answering, as a process whose event loop is blocked. */
  block(): void;
}

/** Starts both ends of the channel between a process and its worker, without the processes. */
function startWorker(all: WorkerMetrics, load: { inFlight: number; lagSeconds: number }): TestWorker {
  const worker = new EventEmitter();
  const parent = new EventEmitter();
  let [isConnected, isBlocked] = [true, false];
  const send = (message: unknown) =>
    queueMicrotask(() => isBlocked || parent.emit('message', structuredClone(message)));
  all.serve(Object.assign(worker, { send, isConnected: () => isConnected }) as never);
  const link = { connected: true, send: (message: unknown) => worker.emit('message', structuredClone(message)) };
  const share = shareMetrics(Object.assign(parent, link) as never);
  const metrics = createMetrics({ load: { ...load, isOverloaded: false }, admission: { waiting: 0 }, share });
  return {
    metrics,
    end() {
      isConnected = false;
      worker.emit('exit');
    },
    block() {
      isBlocked = true;
    },
  };
}

function answer({ metrics }: TestWorker, times: number): void {
  for (let count = 0; count < times; count++) metrics.request({ area: 'rest', status: 200, seconds: 0.002 });
}

/** Scrapes one worker, and returns the value of a series. */
async function scrape({ metrics }: TestWorker, series: string): Promise<number> {
  const lines = (await metrics.text()).split('\n').filter((line) => line.startsWith(`${series} `));
  expect(lines).toHaveLength(1);
  return Number(lines[0]?.slice(series.length));
}

const requests = 'gantry_http_requests_total{area="rest",status="200"}';
const bucket = 'gantry_http_request_seconds_bucket{area="rest",le="0.0025"}';

test('a scrape of any worker has the sum of all, and the worst of what must not be summed', async () => {
  const all = createWorkerMetrics();
  const one = startWorker(all, { inFlight: 3, lagSeconds: 0.5 });
  const other = startWorker(all, { inFlight: 4, lagSeconds: 0.25 });
  answer(one, 5);
  answer(other, 7);
  for (const worker of [one, other]) {
    expect(await scrape(worker, requests)).toBe(12);
    expect(await scrape(worker, bucket)).toBe(12);
    expect(await scrape(worker, 'gantry_requests_in_flight')).toBe(7);
    expect(await scrape(worker, 'gantry_event_loop_lag_seconds')).toBe(0.5);
  }
  expect(await one.metrics.text()).not.toContain('worker=');
});

test('counts of a worker that ended stay in the sum, its gauges leave it', async () => {
  const all = createWorkerMetrics();
  const one = startWorker(all, { inFlight: 3, lagSeconds: 0.5 });
  const other = startWorker(all, { inFlight: 4, lagSeconds: 0.25 });
  answer(one, 5);
  answer(other, 7);
  await scrape(other, requests);
  one.end();
  expect(await scrape(other, requests)).toBe(12);
  expect(await scrape(other, 'gantry_requests_in_flight')).toBe(4);
  const successor = startWorker(all, { inFlight: 0, lagSeconds: 0 });
  answer(successor, 1);
  expect(await scrape(successor, requests)).toBe(13);
});

test('a worker that is busy counts as it was last read', async () => {
  const all = createWorkerMetrics();
  const one = startWorker(all, { inFlight: 1, lagSeconds: 0 });
  const busy = startWorker(all, { inFlight: 2, lagSeconds: 0 });
  answer(busy, 7);
  expect(await scrape(one, requests)).toBe(7);
  busy.block();
  answer(busy, 1);
  answer(one, 1);
  expect(await scrape(one, requests)).toBe(8);
});

test('two scrapes at once are answered both', async () => {
  const all = createWorkerMetrics();
  const workers = [1, 2].map(() => startWorker(all, { inFlight: 1, lagSeconds: 0 })) as [TestWorker, TestWorker];
  answer(workers[0], 2);
  expect(await Promise.all(workers.map((worker) => scrape(worker, requests)))).toEqual([2, 2]);
});
