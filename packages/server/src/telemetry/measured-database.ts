import { type Database, StoreError, type StoreReason } from '@gantry/store';

export interface StoreCall {
  readonly kind: 'query' | 'batch';
  readonly seconds: number;
  /** Absent for a call that succeeded. */
  readonly failure?: StoreReason;
}

/** Wraps a database: `observe` gets the time of each call, waiting included. */
export function measuredDatabase(db: Database, observe: (call: StoreCall) => void): Database {
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

  return {
    ...db,
    query: <R>(statement: Parameters<Database['query']>[0]) => measure('query', () => db.query<R>(statement)),
    batch: (statements) => measure('batch', () => db.batch(statements)),
  };
}
