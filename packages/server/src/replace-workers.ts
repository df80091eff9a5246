import { setTimeout as pause } from 'node:timers/promises';
import type { WorkerProcess } from './worker-process.ts';

/** The place of one worker, which outlives it. */
export interface WorkerSlot {
  current: WorkerProcess;
}

export interface ReplaceOptions {
  readonly slots: readonly WorkerSlot[];
  /** Starts a worker from what lies on the disk now. */
  readonly start: (options: { readonly checksStart: boolean }) => WorkerProcess;
  readonly isStopping: () => boolean;
  readonly say: (line: string) => void;
  readonly warn: (line: string) => void;
  /** Time after which a worker that was replaced is killed: slow clients would keep it. */
  readonly retireMs: number;
}

/** Time for which a replaced worker is waited for, so that there is mostly one process more than usual, and not twice as many. */
const overlapMs = 5_000;

/** After so long it is said that a new worker is still starting. */
const slowMs = 30_000;

/**
 * Makes what replaces all workers in turn: each new one answers before the one in its place is let go. It ends at the first
 * worker that does not start, and those that are there go on. Calls during a replacement are one more, after it: what lay on
 * the disk may have changed since its first worker began.
 */
export function createReplacement(options: ReplaceOptions): () => void {
  const { slots, start, isStopping, say, warn, retireMs } = options;
  let isRunning = false;
  let isWanted = false;

  async function replaceAll(): Promise<void> {
    for (const [index, slot] of slots.entries()) {
      const next = start({ checksStart: index === 0 });
      const slow = setTimeout(() => warn('Reload: a new worker is still starting; the others go on.'), slowMs);
      const url = await next.ready;
      clearTimeout(slow);
      if (isStopping()) return;
      if (url === undefined) {
        const old = slots.length - index;
        warn(
          `Reload failed: a new worker ended (${await next.ended}) while it started. ${old} of ${slots.length} workers are still the old ones, and go on.`,
        );
        return;
      }
      const { current } = slot;
      slot.current = next;
      current.retire(retireMs);
      await Promise.race([current.ended, pause(overlapMs)]);
      if (isStopping()) return;
    }
    say(`Gantry reloaded, ${slots.length} new worker${slots.length === 1 ? '' : 's'}`);
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
