import { type Database, StoreError, type StoreReason } from '@gantry/store';

export interface StoreCall {
  readonly kind: 'query' | 'batch';
  readonly seconds: number;
  /** Absent for a call that did what it should. */
  readonly failure?: StoreReason;
}

/** The same database; each call is told to `observe` with its time, waiting included. */
export function measuredDatabase(db: Database, observe: (call: StoreCall) => void): Database {
  async function measure<T>(kind: StoreCall['kind'], work: () => Promise<T>): Promise<T> {
    const startedAtMs = performance.now();
    const seconds = () => (performance.now() - startedAtMs) / 1000;
    try {
      const result = await work(); // drivers may do it all before they answer, so the clock runs first
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
