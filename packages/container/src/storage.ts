import { clear, createStore, delMany, entries, setMany } from 'idb-keyval';
import type { OutboxStorage } from './outbox-storage.ts';

/**
 * Holds all that a container keeps beyond its page. By default that is the browser's own: IndexedDB, `sessionStorage` and
 * `localStorage`, which it shares with the other pages of the site.
 */
export interface ContainerStorage {
  readonly results: ResultStorage;
  /** Writes that wait for a connection. */
  readonly writes: OutboxStorage;
  /** Ends with the tab: `gantry.state`, and what a member put off. */
  readonly sessionStorage: TextStorage;
  /** Marks of what the others hold. */
  readonly localStorage: TextStorage;
}

/** Texts by key. Every method may throw. */
export type TextStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

/** Where results outlive the page. May fail at any time: the page then goes on without it. */
export interface ResultStorage {
  entries(): Promise<readonly (readonly [key: string, value: unknown])[]>;
  setMany(entries: readonly (readonly [key: string, value: unknown])[]): Promise<void>;
  delMany(keys: readonly string[]): Promise<void>;
  clear(): Promise<void>;
}

/** IndexedDB. Where a browser denies it, every method rejects. */
export function createIdbStorage(name = 'gantry'): ResultStorage {
  const store = createStore(name, 'results');
  // async functions, because a denied `indexedDB` throws at once
  return {
    entries: async () => entries<string>(store),
    setMany: async (list) => setMany(list as [string, unknown][], store),
    delMany: async (keys) => delMany(keys as string[], store),
    clear: async () => clear(store),
  };
}
