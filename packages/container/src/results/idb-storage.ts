import { clear, delMany, entries, setMany } from 'idb-keyval';
import { openStore } from '../open-store.ts';
import type { ResultStorage } from '../storage.ts';

/** Opens IndexedDB. Every method rejects if a browser denies it. */
export function createIdbStorage(): ResultStorage {
  const store = openStore('gantry', 'results');
  return {
    entries: () => entries<string>(store),
    setMany: (list) => setMany(list as [string, unknown][], store),
    delMany: (keys) => delMany(keys as string[], store),
    clear: () => clear(store),
  };
}
