import type { Clock } from '@gantry/wire/runtime';

const deadlineMs = 20_000;
const storagePatienceMs = 1_000; // on the machine's clock: some browsers never answer `indexedDB.open`

/** Does `work` with a signal that aborts after 20 seconds. */
export async function withinDeadline<T>(
  clock: Pick<Clock, 'after'>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const stop = clock.after(deadlineMs, () => controller.abort());
  try {
    return await work(controller.signal);
  } finally {
    stop();
  }
}

/** Waits for a storage. Rejects after a second. */
export async function withinPatience<T>(work: Promise<T>): Promise<T> {
  const { promise: outOfPatience, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(reject, storagePatienceMs);
  try {
    return await Promise.race([work, outOfPatience]);
  } finally {
    clearTimeout(timer);
  }
}
