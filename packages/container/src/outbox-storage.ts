import { clear, createStore, delMany, entries, setMany } from 'idb-keyval'; // only what the first script has in it anyway

/** Where writes outlive the page. May fail at any time: they then live as long as the page. */
export interface OutboxStorage {
  all(): Promise<readonly unknown[]>;
  get(key: string): Promise<unknown>;
  put(key: string, entry: unknown): Promise<void>;
  remove(key: string): Promise<void>;
  clear(): Promise<void>;
}

/** IndexedDB. Where a browser denies it, every method rejects. */
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
