import type { Clock } from '@gantry/wire/runtime';
import { withinPatience } from '../calls/deadline.ts';
import { orderingKeyOf } from '../calls/scope.ts';
import type { OutboxStorage } from '../storage.ts';
import { type Entry, type EntryStore, isEntry } from './entry.ts';

const doneKeptMs = 10 * 60_000;
const doneKept = 20; // per member and app

export interface EntryStoreOptions {
  readonly storage: OutboxStorage;
  readonly clock: Pick<Clock, 'now'>;
  /** Called with false when nothing is stored that a later page must look for. */
  readonly mark: (isFilled: boolean) => void;
  /** Called when `isKept` of a write has changed. */
  readonly onKept: () => void;
}

/** Opens a store without the writes of earlier pages, which `read` brings. */
export function openEntryStore({ storage, clock, mark, onKept }: EntryStoreOptions): EntryStore {
  const entries = new Map<string, Entry>();
  const byOrderingKey = new Map<string, Map<string, Entry>>();
  const lists = new Map<string, readonly Entry[]>();
  const sizes = new WeakMap<Entry['request'], number>();
  const unkept = new Set<string>();
  let isRead = false;
  let isKeeping = false;

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
    setKept(key, true);
    if (entries.size === 0 && isRead) mark(false);
    void attempt(storage.remove(key));
  }

  function note(entry: Entry): void {
    set(entry);
    if (entry.done === undefined) return;
    setKept(entry.key, true); // the site has it
    const ended = inOrder(orderingKeyOf(entry.scope)).filter(({ done }) => done !== undefined);
    for (const [index, one] of ended.entries()) if (index < ended.length - doneKept || isOld(one)) forget(one);
  }

  function setKept(key: string, isKept: boolean): void {
    if (isKept !== unkept.has(key)) return;
    if (isKept) unkept.delete(key);
    else unkept.add(key);
    onKept();
  }
  function noteUnkept({ key }: Entry): void {
    if (entries.get(key)?.done === undefined && entries.has(key)) setKept(key, false);
  }

  async function keep(entry: Entry): Promise<void> {
    note(entry);
    mark(true);
    const { key, done } = entry;
    const stored = storage.put(key, entry).then(
      () => {
        setKept(key, true);
        void keepUnkept();
      },
      // In an older state, a later page would send it again.
      () => (done === undefined ? noteUnkept(entry) : attempt(storage.remove(key))),
    );
    await withinPatience<unknown>(stored).catch(() => noteUnkept(entry));
  }
  async function keepUnkept(): Promise<void> {
    if (isKeeping) return;
    isKeeping = true;
    for (const key of [...unkept]) {
      const entry = entries.get(key);
      if (entry && unkept.has(key)) await keep(entry);
    }
    isKeeping = false;
  }

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
    keep,
    keepUnkept,
    isKept: ({ key }) => !unkept.has(key),
    forget,
    async read() {
      if (isRead) return [];
      const stored = await storage.all();
      if (isRead) return [];
      isRead = true;
      const found = stored.filter((entry) => isEntry(entry)).filter(({ key }) => !entries.has(key));
      // Also one that had just left when its page ended: its reply was lost with the page.
      for (const entry of found) set(entry.done === undefined ? { ...entry, waits: true } : entry);
      for (const entry of found) if (isOld(entry)) forget(entry);
      return found;
    },
    async emptied() {
      isRead = true; // not what a slow storage reads before it is emptied
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
