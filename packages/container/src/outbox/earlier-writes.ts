import type { Clock } from '@gantry/wire/runtime';
import { withinPatience } from '../calls/deadline.ts';
import type { Entry, EntryStore } from './entry.ts';

const longestReadMs = 10_000;

/**
 * Reads what earlier pages stored, which may come late from a slow storage. New writes are not sent
 * before it, for ten seconds at most.
 *
 * @param options.hasEarlier An earlier page may have left writes.
 * @param options.onLate Called when writes have come, or need not be waited for, after `opened`.
 */
export function createEarlierWrites(options: {
  readonly store: Pick<EntryStore, 'read'>;
  readonly clock: Pick<Clock, 'after'>;
  readonly hasEarlier: boolean;
  readonly onLate: (found: readonly Entry[]) => void;
}) {
  const { store, clock, hasEarlier, onLate } = options;
  let mayOvertake = !hasEarlier;
  let isOpen = false;

  function come(found: readonly Entry[]): void {
    if (mayOvertake && found.length === 0) return;
    mayOvertake = true;
    if (isOpen) onLate(found);
  }
  /** Tries again where that failed. Never rejects. */
  const read = (): Promise<void> => store.read().then(come, () => come([]));

  if (hasEarlier) clock.after(longestReadMs, () => come([]));
  const opened = withinPatience(read())
    .catch(() => undefined)
    .then(() => {
      isOpen = true;
    });
  return {
    read,
    /** Resolves when the writes are here, or a second is over. */
    opened,
    /** False while new writes wait for them. */
    get mayOvertake() {
      return mayOvertake;
    },
  };
}
