import { clear, delMany, entries, get, keys, promisifyRequest } from 'idb-keyval';
import { openStore } from '../open-store.ts';
import { createIdbStorage } from '../results/idb-storage.ts';
import type { OutboxStorage } from '../storage.ts';

/**
 * Opens IndexedDB. Every method rejects if a browser denies it.
 *
 * @param onClosed Called when what was stored may be gone.
 */
export function createOutboxStorage(onClosed?: () => void): OutboxStorage {
  const store = openStore('gantry-outbox', 'writes', onClosed);
  const results = createIdbStorage();

  function put(key: string, entry: unknown): Promise<void> {
    return store('readwrite', (writes) => {
      writes.put(entry, key);
      writes.transaction.commit(); // a page that ends before the browser commits loses the write
      return promisifyRequest(writes.transaction);
    });
  }

  return {
    async all() {
      try {
        return (await entries(store)).map(([, entry]) => entry as unknown);
      } catch {
        // One that cannot be read fails them all.
        const each = await Promise.allSettled((await keys(store)).map((key) => get<unknown>(key, store)));
        return each.map((result) => result.status === 'fulfilled' && result.value);
      }
    },
    get: (key) => get(key, store),
    async put(key, entry) {
      try {
        await put(key, entry);
      } catch (error) {
        if ((error as Error | undefined)?.name !== 'QuotaExceededError') throw error;
        await results.clear(); // results can be asked for again
        await put(key, entry);
      }
    },
    remove: (key) => delMany([key], store),
    clear: () => clear(store),
  };
}
