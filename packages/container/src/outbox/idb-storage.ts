import { clear, createStore, delMany, entries, setMany } from 'idb-keyval'; // only what the first script has in it anyway
import type { OutboxStorage } from '../storage.ts';

/** Opens IndexedDB. Every method rejects if a browser denies it. */
export function createOutboxStorage(): OutboxStorage {
  const store = createStore('gantry-outbox', 'writes');

  // async functions, because a denied `indexedDB` throws at once
  return {
    all: async () => (await entries(store)).map(([, entry]) => entry as unknown),
    get: async (key) =>
      store(
        'readonly',
        (writes) =>
          new Promise((resolve, reject) => {
            const request = writes.get(key);
            request.onsuccess = () => resolve(request.result);
            request.onerror = () => reject(request.error);
          }),
      ),
    put: async (key, entry) => setMany([[key, entry]], store),
    remove: async (key) => delMany([key], store),
    clear: async () => clear(store),
  };
}
