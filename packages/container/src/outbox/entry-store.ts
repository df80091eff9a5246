import type { Clock } from '@gantry/wire/runtime';
import { withinPatience } from '../calls/deadline.ts';
import { orderingKeyOf } from '../calls/scope.ts';
import type { OutboxStorage } from '../storage.ts';
import { type Entry, type EntryStore, isEntry } from './entry.ts';

const doneKeptMs = 10 * 60_000;
const doneKept = 20; // per member and app

/** @param options.mark Called with false when nothing is stored that a later page must look for. */
export async function openEntryStore(options: {
  readonly storage: OutboxStorage;
  readonly clock: Pick<Clock, 'now'>;
  readonly mark: (isFilled: boolean) => void;
}): Promise<EntryStore> {
  const { storage, clock, mark } = options;
  const entries = new Map<string, Entry>();
  const byOrderingKey = new Map<string, Map<string, Entry>>();
  const lists = new Map<string, readonly Entry[]>();
  const sizes = new WeakMap<Entry['request'], number>();

  function set(entry: Entry): void {
    const orderingKey = orderingKeyOf(entry.scope);
    const group = byOrderingKey.get(orderingKey) ?? new Map<string, Entry>();
    byOrderingKey.set(orderingKey, group.set(entry.key, entry));
    lists.delete(orderingKey);
    entries.set(entry.key, entry);
  }
  function inOrder(orderingKey: string): readonly Entry[] {
    const list =
      lists.get(orderingKey) ??
      [...(byOrderingKey.get(orderingKey)?.values() ?? [])].sort((a, b) => (a.key < b.key ? -1 : 1));
    lists.set(orderingKey, list);
    return list;
  }
  function isOld({ done }: Entry): boolean {
    return done !== undefined && clock.now() - done.atMs > doneKeptMs;
  }
  function forget({ key, scope }: Entry): void {
    const orderingKey = orderingKeyOf(scope);
    byOrderingKey.get(orderingKey)?.delete(key);
    lists.delete(orderingKey);
    entries.delete(key);
    if (entries.size === 0) mark(false);
    void attempt(storage.remove(key));
  }

  function note(entry: Entry): void {
    set(entry);
    if (entry.done === undefined) return;
    const ended = inOrder(orderingKeyOf(entry.scope)).filter(({ done }) => done !== undefined);
    for (const [index, one] of ended.entries()) if (index < ended.length - doneKept || isOld(one)) forget(one);
  }

  for (const stored of (await attempt(storage.all())) ?? []) {
    // A write that had just left when its page ended waits, too: its reply was lost with the page.
    if (isEntry(stored)) set(stored.done === undefined ? { ...stored, waits: true } : stored);
  }
  for (const entry of entries.values()) if (isOld(entry)) forget(entry);

  return {
    get: (key) => entries.get(key),
    all: () => [...entries.values()],
    inOrder,
    charactersOf({ request }) {
      const size = sizes.get(request) ?? JSON.stringify(request).length;
      sizes.set(request, size);
      return size;
    },
    mirror: note,
    async keep(entry) {
      note(entry);
      mark(true);
      await attempt(storage.put(entry.key, entry));
    },
    forget,
    async emptied() {
      await attempt(storage.clear());
    },
    async stored(key) {
      const entry = await attempt(storage.get(key));
      return isEntry(entry) ? entry : undefined;
    },
  };
}

/** Waits for the storage for at most a second. Resolves with undefined if it fails. */
function attempt<T>(work: Promise<T>): Promise<T | undefined> {
  return withinPatience(work).catch(() => undefined);
}
