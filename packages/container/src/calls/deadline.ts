import type { Clock } from '@gantry/wire';

/** Does `work` with a signal that aborts after `ms`. */
export async function within<T>(
  { clock, ms }: { readonly clock: Pick<Clock, 'after'>; readonly ms: number },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const stop = clock.after(ms, () => controller.abort());
  try {
    return await work(controller.signal);
  } finally {
    stop();
  }
}
