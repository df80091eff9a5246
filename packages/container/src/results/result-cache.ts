import type { Clock } from '@gantry/wire/runtime';
import { withinPatience } from '../calls/deadline.ts';
import { perTick } from '../calls/per-tick.ts';
import type { Asked } from '../calls/scope.ts';
import type { ResultStorage } from '../storage.ts';

export interface CachedResult extends Asked {
  readonly value: unknown;
  /** Arrival of the reply, in milliseconds since the epoch. */
  readonly storedAtMs: number;
  /** Set by a change after it arrived. */
  readonly outdated?: Outdated;
}

/**
 * After a write `here`, reads wait for a new result; after one `elsewhere`, this page shows the old
 * one, and the next page waits too.
 */
export type Outdated = 'here' | 'elsewhere';

/** A bounded Map that forgets the least recently used, before a storage that may fail. */
export type ResultCache = ReturnType<typeof createResultCache>;

export interface CacheLimits {
  readonly entries: number;
  /** Characters of JSON text, all results together. */
  readonly size: number;
}

const defaultLimits: CacheLimits = { entries: 500, size: 4_000_000 };
/** Age up to which a result is shown, with its age, while the site is out of reach. */
export const offlineKeptMs = 7 * 24 * 60 * 60_000;

const writeBehindMs = 100;
/** Version of the stored shape. */
export const shape = 1;

export type StoredResult = CachedResult & { readonly version: number };

export interface CacheOptions {
  readonly storage: ResultStorage;
  readonly clock: Pick<Clock, 'now'>;
  readonly limits?: CacheLimits;
  /** Fetches the check of stored entries, which comes with the table of operations. */
  readonly fetchCheck: () => Promise<(entry: readonly [string, unknown], nowMs: number) => boolean>;
  /** Called with the key of each result that is replaced, changed or forgotten. */
  readonly onChange?: (key: string) => void;
}

export function createResultCache(options: CacheOptions) {
  const { clock, limits = defaultLimits, fetchCheck, onChange = () => {} } = options;
  const held = new Map<string, Held>();
  const unsaved = new Map<string, CachedResult | undefined>();
  const saveSoon = perTick<void>(() => void save(), writeBehindMs);
  let storage: ResultStorage | undefined = options.storage;
  let size = 0;
  let version = 0;
  let uses = 0; // cheaper per read than a Map in order of use

  function hold(key: string, result: CachedResult): void {
    remove(key);
    version += 1;
    const resultSize = key.length + sizeOf(result);
    if (resultSize > limits.size / 4) return; // would evict everything else
    held.set(key, { result, size: resultSize, lastUse: nextUse() });
    size += resultSize;
    if (isFull()) forgetUntil(() => !isFull());
  }
  function isFull(): boolean {
    return held.size > limits.entries || size > limits.size;
  }
  function nextUse(): number {
    uses += 1;
    return uses;
  }

  /** Forgets the least recently used first. Returns their keys. */
  function forgetUntil(isEnough: (forgotten: number) => boolean): readonly string[] {
    const keys: string[] = [];
    for (const [key] of [...held].sort(([, a], [, b]) => a.lastUse - b.lastUse)) {
      if (isEnough(keys.length)) break;
      remove(key);
      keys.push(key);
    }
    return keys;
  }

  function remove(key: string): void {
    const entry = held.get(key);
    if (entry === undefined) return;
    held.delete(key);
    size -= entry.size;
    unsaved.set(key, undefined);
    onChange(key);
  }

  function forget(): void {
    for (const key of held.keys()) onChange(key);
    held.clear();
    unsaved.clear();
    size = 0;
  }

  /** Uses the storage, unless it failed or hung before: the Map goes on alone. */
  async function attempt<T>(use: (storage: ResultStorage) => Promise<T>, from = storage): Promise<T | undefined> {
    if (from === undefined) return undefined;
    try {
      return await withinPatience(use(from));
    } catch {
      storage = undefined;
      return undefined;
    }
  }

  async function restore(): Promise<void> {
    const [stored = [], isUsable] = await Promise.all([attempt((from) => from.entries()), fetchCheck()]);
    const usable: [string, CachedResult][] = [];
    for (const entry of stored) {
      if (isUsable(entry, clock.now())) usable.push(entry as [string, CachedResult]);
      else unsaved.set(entry[0], undefined);
    }
    usable.sort(([, a], [, b]) => a.storedAtMs - b.storedAtMs);
    for (const [key, result] of usable) hold(key, result.outdated ? { ...result, outdated: 'here' } : result);
    if (unsaved.size > 0) saveSoon();
  }

  async function save(): Promise<void> {
    const changes = [...unsaved];
    unsaved.clear();
    if (storage === undefined) return;
    const gone = changes.flatMap(([key, result]) => (result === undefined ? [key] : []));
    const updates = changes.filter((change): change is [string, CachedResult] => change[1] !== undefined);
    // Both begin now, so that the storage does them before what a later change asks of it.
    await Promise.all([
      gone.length > 0 && attempt((into) => into.delMany(gone)),
      updates.length > 0 && attempt((into) => store(into, updates)),
    ]);
    if (storage === undefined) void attempt((from) => from.clear(), options.storage); // its results may be outdated
  }

  async function store(into: ResultStorage, entries: readonly (readonly [string, CachedResult])[]): Promise<void> {
    const storable = () =>
      entries.flatMap(([key, result]) => (held.has(key) ? [[key, { ...result, version: shape }] as const] : []));
    try {
      await into.setMany(storable());
    } catch (error) {
      if ((error as Error | undefined)?.name !== 'QuotaExceededError') throw error;
      const half = held.size / 2;
      await into.delMany(forgetUntil((forgotten) => forgotten >= half));
      await into.setMany(storable());
    }
  }

  /** Resolves when results of earlier pages are here, or time is up. Never rejects. */
  const restored = restore().catch(() => undefined); // without the check, no app starts
  return {
    restored,
    /** Counts the results that arrived. */
    get version(): number {
      return version;
    },
    get(key: string): CachedResult | undefined {
      const entry = held.get(key);
      if (entry === undefined) return undefined;
      entry.lastUse = nextUse();
      return entry.result;
    },
    /** Returns the characters of a result as JSON, with its key. */
    sizeOf: (key: string): number => held.get(key)?.size ?? 0,
    set(key: string, result: CachedResult): void {
      hold(key, result);
      if (held.has(key)) unsaved.set(key, result);
      saveSoon();
    },
    /** Replaces each result that `change` changes; resolves when they are stored. Never rejects. */
    async revise(change: (result: CachedResult) => CachedResult): Promise<void> {
      for (const [key, entry] of held) {
        const result = change(entry.result);
        if (result === entry.result) continue;
        const resultSize = result.value === entry.result.value ? entry.size : key.length + sizeOf(result);
        size += resultSize - entry.size;
        held.set(key, { ...entry, result, size: resultSize });
        unsaved.set(key, result);
        onChange(key);
      }
      await save();
    },
    /** Forgets results; resolves when the storage has, too. Never rejects. */
    async drop(matches: (result: CachedResult) => boolean): Promise<void> {
      for (const [key, { result }] of held) if (matches(result)) remove(key);
      await save();
    },
    /** Forgets everything, also what other pages stored. Never rejects. */
    async clear(): Promise<void> {
      forget();
      await restored;
      forget(); // results restored meanwhile
      await attempt((from) => from.clear(), options.storage); // even after `storage` failed
    },
  };
}

interface Held {
  readonly result: CachedResult;
  readonly size: number;
  /** Counter of the last use. */
  lastUse: number;
}

function sizeOf({ value }: CachedResult): number {
  return JSON.stringify(value)?.length ?? 0;
}
