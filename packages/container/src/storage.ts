import { clear, createStore, delMany, entries, setMany } from 'idb-keyval';

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
