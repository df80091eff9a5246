import { type Copies, type Database, StoreError, type StoreReason } from '@gantry/store';

export interface StoreCall {
  /** `replica`: a query that a standby answered, or the database in its place. */
  readonly kind: 'query' | 'batch' | 'replica';
  readonly seconds: number;
  /** Absent for a call that succeeded. */
  readonly failure?: StoreReason;
}

/** Source of one read that a standby might have answered. */
export type ReadSource = 'standby' | 'primary';

/**
 * Wraps a database.
 *
 * @param observe Gets the time of each call, waiting included.
 * @param routed Gets the source of each read, where there are standbys.
 */
export function measuredDatabase(
  db: Database,
  observe: (call: StoreCall) => void,
  routed: (source: ReadSource) => void = () => {},
): Database {
  async function measure<T>(kind: StoreCall['kind'], work: () => Promise<T>): Promise<T> {
    const startedAtMs = performance.now();
    const seconds = () => (performance.now() - startedAtMs) / 1000;
    try {
      const result = await work(); // drivers may work synchronously, so the clock starts before
      observe({ kind, seconds: seconds() });
      return result;
    } catch (error) {
      observe({ kind, seconds: seconds(), failure: error instanceof StoreError ? error.reason : 'other' });
      throw error;
    }
  }

  function measured(source: Database, kind: StoreCall['kind']): Database {
    return {
      ...source,
      query: <R>(statement: Parameters<Database['query']>[0]) => measure(kind, () => source.query<R>(statement)),
      batch: (statements) => measure('batch', () => source.batch(statements)),
    };
  }

  const { copies } = db;
  if (copies === undefined) return measured(db, 'query');
  async function find(isCurrent: Parameters<Copies['find']>[0]): Promise<Database | undefined> {
    const copy = await copies?.find(isCurrent);
    routed(copy ? 'standby' : 'primary');
    return copy && measured(copy, 'replica');
  }
  return { ...measured(db, 'query'), copies: { find } };
}
