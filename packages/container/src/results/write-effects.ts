import type { Change, Reply } from '@gantry/wire';
import type { Scope } from '../calls/scope.ts';
import type { PendingWrite } from './optimistic.ts';

/** A write with a reply that results do not show yet. */
export interface Settled {
  readonly write: PendingWrite;
  readonly changes: readonly Change[];
  readonly reply: Reply;
  /** Called when results show it. */
  readonly resolve: (marked: Promise<void> | undefined) => void;
}

/** Effects of the writes of one member through one app since their results were shown last. */
export interface WriteEffects {
  readonly scope: Scope;
  settled: Settled[];
  /** Changes of results that were not shown since. */
  touched: readonly Change[];
  /** Changes that watched results were not asked again for yet. */
  due: readonly Change[];
  timer: ReturnType<typeof setTimeout> | undefined;
  /** Version of the cache in which a topic of the viewer was marked as stale. */
  readonly marked: Map<Change['topic'], number>;
  /** Shows them, once for all of a tick. */
  readonly showSoon: () => void;
}

const longestRestMs = 1_000;

/**
 * Makes a function that runs `work` soon: once for all calls of a tick, and for at most a tenth of
 * the time, so that the page stays responsive.
 */
export function throttled(work: () => void, now = () => performance.now()): () => void {
  let isDue = false;
  let restUntilMs = Number.NEGATIVE_INFINITY;

  function run(): void {
    isDue = false;
    const startMs = now();
    work();
    const endMs = now();
    restUntilMs = endMs + Math.min(9 * (endMs - startMs), longestRestMs);
  }
  return () => {
    if (isDue) return;
    isDue = true;
    setTimeout(run, Math.max(0, restUntilMs - now()));
  };
}

/** Removes duplicates. Those of one app and member are few, however many writes make them. */
export function distinct(changes: readonly Change[]): readonly Change[] {
  return [...new Map(changes.map((change) => [JSON.stringify(change), change])).values()];
}
