import type { Clock } from '@gantry/wire/runtime';

/** Time without use after which an app may be loaded anew. */
export const quietMs = 30_000;
/** Time without such a moment after which the member is asked. */
export const askAfterMs = 10 * 60_000;
const checkMs = 1_000;

/**
 * Waits for a moment in which an app can be loaded anew: half a minute without use, and with no
 * write of it that waits.
 *
 * @param options.sinceMs Time by `clock.elapsed()` since which it is to be loaded.
 * @param options.onQuiet Called once, and ends the wait.
 * @param options.onLate Called once after ten minutes; the wait goes on.
 */
export function awaitQuietMoment(options: {
  readonly clock: Pick<Clock, 'elapsed' | 'after'>;
  readonly sinceMs: number;
  readonly isUsed: () => boolean;
  readonly hasWrites: () => boolean;
  readonly onQuiet: () => void;
  readonly onLate: () => void;
}): {
  /** Looks at once: the use may have changed. */
  check(): void;
  end(): void;
} {
  const { clock, sinceMs, isUsed, hasWrites, onQuiet, onLate } = options;
  let usedAtMs = clock.elapsed();
  let isLate = false;
  let stop = clock.after(checkMs, again);

  function check(): void {
    const nowMs = clock.elapsed();
    if (isUsed()) usedAtMs = nowMs;
    if (nowMs - usedAtMs >= quietMs && !hasWrites()) {
      stop();
      onQuiet();
    } else if (!isLate && nowMs - sinceMs >= askAfterMs) {
      isLate = true;
      onLate();
    }
  }
  function again(): void {
    stop = clock.after(checkMs, again);
    check();
  }
  return { check, end: () => stop() };
}
