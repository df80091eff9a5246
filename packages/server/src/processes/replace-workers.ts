import { setTimeout as pause } from 'node:timers/promises';
import { countText } from '@gantry/wire/runtime';
import type { WorkerProcess } from './worker-process.ts';

/** Place of one worker, which outlives it. */
export interface WorkerSlot {
  current: WorkerProcess;
}

export interface ReplaceOptions {
  readonly slots: readonly WorkerSlot[];
  /** Starts a worker of the release that is installed now. */
  readonly start: (options: { readonly checksStart: boolean }) => WorkerProcess;
  readonly isStopping: () => boolean;
  readonly say: (line: string) => void;
  readonly warn: (line: string) => void;
  /** Time after which a replaced worker is killed: slow clients would keep it. */
  readonly retireMs: number;
}

/** Time to wait for a replaced worker, so that mostly one process more runs than usual. */
const overlapMs = 5_000;

/** Time after which a slow start is logged. */
const slowMs = 30_000;

/**
 * Makes the function that replaces all workers in turn: each new one is ready before the old one
 * ends. It stops at the first worker that fails to start; the remaining old ones continue. Calls
 * during a replacement cause one more after it, since the installed files may have changed
 * meanwhile.
 */
export function createReplacement(options: ReplaceOptions): () => void {
  const { slots, start, isStopping, say, warn, retireMs } = options;
  let isRunning = false;
  let isWanted = false;

  async function replaceAll(): Promise<void> {
    for (const [index, slot] of slots.entries()) {
      const next = start({ checksStart: index === 0 });
      const slow = setTimeout(() => warn('Reload: a new worker is still starting; the others continue.'), slowMs);
      const url = await next.ready;
      clearTimeout(slow);
      if (isStopping()) return;
      if (url === undefined) {
        const old = slots.length - index;
        warn(
          `Reload failed: a new worker ended (${await next.ended}) while it started. ${old} of ${slots.length} workers are still the old ones, and continue.`,
        );
        return;
      }
      const { current } = slot;
      slot.current = next;
      current.retire(retireMs);
      await Promise.race([current.ended, pause(overlapMs)]);
      if (isStopping()) return;
    }
    say(`Gantry reloaded, ${countText(slots.length, 'new worker')}`);
  }

  async function replace(): Promise<void> {
    isRunning = true;
    while (isWanted && !isStopping()) {
      isWanted = false;
      await replaceAll();
    }
    isRunning = false;
  }

  return () => {
    isWanted = true;
    if (!isRunning) void replace();
  };
}
