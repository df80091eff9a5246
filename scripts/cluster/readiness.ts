import { setTimeout as pause } from 'node:timers/promises';

/** Readiness of one process over time, as a load balancer sees it. */
export interface ReadinessWatch {
  /** Milliseconds from `sinceMs` to the first answer that is not 200; `undefined` without one. */
  notReadyAfterMs(sinceMs: number): number | undefined;
  /** Returns whether the newest answer is 200. */
  isReady(): boolean;
  stop(): Promise<void>;
}

const everyMs = 50;

/** Asks `/readyz` twenty times a second. */
export function watchReadiness(port: number): ReadinessWatch {
  const changes: { readonly atMs: number; readonly status: number }[] = [];
  let isStopped = false;

  async function watch(): Promise<void> {
    while (!isStopped) {
      const { status } = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => ({ status: 0 }));
      if (changes.at(-1)?.status !== status) changes.push({ atMs: performance.now(), status });
      await pause(everyMs);
    }
  }

  const watching = watch();
  return {
    notReadyAfterMs(sinceMs) {
      const first = changes.find(({ atMs, status }) => atMs >= sinceMs && status !== 200);
      return first && first.atMs - sinceMs;
    },
    isReady: () => changes.at(-1)?.status === 200,
    stop() {
      isStopped = true;
      return watching;
    },
  };
}
