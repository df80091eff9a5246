/** Where results outlive the page. May fail at any time: the page then goes on without it. */
export interface ResultStorage {
  entries(): Promise<readonly (readonly [key: string, value: unknown])[]>;
  setMany(entries: readonly (readonly [key: string, value: unknown])[]): Promise<void>;
  delMany(keys: readonly string[]): Promise<void>;
  clear(): Promise<void>;
}

/** IndexedDB, whose code comes while the page asks for its gadgets. Where a browser denies it, every method rejects. */
export function createIdbStorage(name = 'gantry'): ResultStorage {
  const opened = import('idb-keyval').then((idb) => ({ idb, store: idb.createStore(name, 'results') }));
  opened.catch(() => {}); // each method says it
  return {
    entries: () => opened.then(({ idb, store }) => idb.entries<string>(store)),
    setMany: (list) => opened.then(({ idb, store }) => idb.setMany(list as [string, unknown][], store)),
    delMany: (keys) => opened.then(({ idb, store }) => idb.delMany(keys as string[], store)),
    clear: () => opened.then(({ idb, store }) => idb.clear(store)),
  };
}
