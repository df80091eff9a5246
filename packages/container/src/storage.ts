/**
 * Storage of a container beyond its page. By default IndexedDB, `sessionStorage` and
 * `localStorage`, which the pages of the site share.
 */
export interface ContainerStorage {
  readonly results: ResultStorage;
  /** Writes that wait for a connection. */
  readonly writes: OutboxStorage;
  /** Ends with the tab: `gantry.state`, and decisions that a member put off. */
  readonly sessionStorage: TextStorage;
  /** Marks which of the other storages hold something. */
  readonly localStorage: TextStorage;
}

/** Texts by key. Every method may throw. */
export type TextStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

/** Results that outlive the page. May fail at any time: the page goes on without it. */
export interface ResultStorage {
  entries(): Promise<readonly (readonly [key: string, value: unknown])[]>;
  setMany(entries: readonly (readonly [key: string, value: unknown])[]): Promise<void>;
  delMany(keys: readonly string[]): Promise<void>;
  clear(): Promise<void>;
}

/** Writes that outlive the page. May fail at any time: they then live as long as the page. */
export interface OutboxStorage {
  all(): Promise<readonly unknown[]>;
  get(key: string): Promise<unknown>;
  put(key: string, entry: unknown): Promise<void>;
  remove(key: string): Promise<void>;
  clear(): Promise<void>;
}
