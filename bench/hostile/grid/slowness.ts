import { threadMs } from './thread-ms.ts';

const text = JSON.stringify(Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`name${index}`, index])));

/** Processor time of one parse where nothing else runs, on the machine that the bounds are from. */
const usualMs = 25;
const tries = 9;

/**
 * Returns how many times slower than usual this machine is at the moment, at least 1: processors
 * that others share spend more time on the same work.
 */
export function slowness(): number {
  const spentMs = Array.from({ length: tries }, () => {
    const startMs = threadMs();
    JSON.parse(text);
    return threadMs() - startMs;
  });
  return Math.max(1, (spentMs.sort((a, b) => a - b)[tries >> 1] ?? 0) / usualMs);
}
