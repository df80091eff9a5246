import type { Page } from '@playwright/test';

/**
 * Reads the page's IndexedDB: the values of each store, by `database/store`. It opens existing
 * databases only, since the first opener defines the stores.
 */
export function stored(page: Page): Promise<Readonly<Record<string, readonly unknown[]>>> {
  return page.evaluate(async () => {
    const answer = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const rows: Record<string, unknown[]> = {};
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await answer(indexedDB.open(name));
      const stores = [...database.objectStoreNames];
      if (stores.length > 0) {
        const reading = database.transaction(stores);
        const read = async (store: string) => {
          rows[`${name}/${store}`] = await answer(reading.objectStore(store).getAll());
        };
        await Promise.all(stores.map(read));
      }
      database.close();
    }
    return rows;
  });
}

/** Counts the container's results in IndexedDB. */
export async function storedResults(page: Page): Promise<number> {
  return (await stored(page))['gantry/results']?.length ?? 0;
}
