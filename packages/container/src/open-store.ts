import { promisifyRequest, type UseStore } from 'idb-keyval';

/**
 * Opens a store of IndexedDB at its first use, and again after the browser closed it. Gives way to
 * a page that deletes or upgrades the database: it and all later pages would wait for this one, to
 * whose end the deletion would come.
 *
 * @param onClosed Called when what was stored may be gone.
 */
export function openStore(name: string, storeName: string, onClosed = () => {}): UseStore {
  let opening: Promise<IDBDatabase> | undefined;

  async function open(version?: number): Promise<IDBDatabase> {
    const request = indexedDB.open(name, version);
    request.onupgradeneeded = () => request.result.createObjectStore(storeName);
    const database = await promisifyRequest(request);
    const close = () => {
      database.close();
      opening = undefined;
    };
    database.onclose = database.onversionchange = () => {
      close();
      onClosed();
    };
    if (database.objectStoreNames.contains(storeName)) return database;
    close(); // made by another script
    return open(database.version + 1);
  }

  return async (mode, use) => {
    // Once more, since the browser refuses it for a moment after a deletion.
    opening ??= open()
      .catch(() => open())
      .catch((cause) => {
        opening = undefined;
        throw cause;
      });
    return use((await opening).transaction(storeName, mode).objectStore(storeName));
  };
}
