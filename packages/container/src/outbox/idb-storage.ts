import { clear, createStore, delMany, entries, promisifyRequest } from 'idb-keyval';
import type { OutboxStorage } from '../storage.ts';

/** Opens IndexedDB. Every method rejects if a browser denies it. */
export function createOutboxStorage(): OutboxStorage {
  const store = createStore('gantry-outbox', 'writes');

  // async functions, because a denied `indexedDB` throws at once
  return {
    all: async () => (await entries(store)).map(([, entry]) => entry as unknown),
    get: async (key) => store('readonly', (writes) => promisifyRequest(writes.get(key))),
    put: async (key, entry) =>
      store('readwrite', (writes) => {
        writes.put(entry, key);
        writes.transaction.commit(); // a page that ends before the browser commits loses the write
        return promisifyRequest(writes.transaction);
      }),
    remove: async (key) => delMany([key], store),
    clear: async () => clear(store),
  };
}
