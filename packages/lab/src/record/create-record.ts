import type { Entry, EntryHead, Report } from './entry.ts';

/** The record of one run, in memory. Keeps the latest 20,000 entries. */
export interface Record {
  readonly entries: readonly Entry[];
  /** @param event.atMs Default: now. */
  add(event: Report & Partial<Pick<EntryHead, 'atMs'>>): Entry;
  /** Calls `listener` with each new entry, until the returned function is called. */
  subscribe(listener: (entry: Entry) => void): () => void;
}

const mostEntries = 20_000;

/** Makes an empty record. @param options.now Milliseconds since the epoch. */
export function createRecord({ now = Date.now }: { readonly now?: () => number } = {}): Record {
  const entries: Entry[] = [];
  const listeners = new Set<(entry: Entry) => void>();
  let number = 0;
  return {
    entries,
    add(event) {
      number += 1;
      const entry: Entry = { number, atMs: now(), ...event };
      entries.push(entry);
      if (entries.length > mostEntries) entries.splice(0, mostEntries / 10);
      for (const listener of listeners) listener(entry);
      return entry;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
