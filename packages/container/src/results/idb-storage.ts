import { clear, createStore, delMany, entries, setMany } from 'idb-keyval';
import type { ResultStorage } from '../storage.ts';

/** Opens IndexedDB. Every method rejects if a browser denies it. */
export function createIdbStorage(): ResultStorage {
  const store = createStore('gantry', 'results');
  // async functions, because a denied `indexedDB` throws at once
  return {
    entries: async () => entries<string>(store),
    setMany: async (list) => setMany(list as [string, unknown][], store),
    delMany: async (keys) => delMany(keys as string[], store),
    clear: async () => clear(store),
  };
}
