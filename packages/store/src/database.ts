import type { SqlValue, Statement } from './sql.ts';

/** One row by column name. It may have no prototype, so look members up and never call methods on it. */
export type Row = Readonly<Record<string, SqlValue>>;

/** The port to a relational database. Drivers differ in dialect only; `test/store-contract.ts` says what all of them do. */
export interface Database {
  /**
   * Runs one statement by itself and returns its rows, `[]` where it has none.
   *
   * @throws StoreError
   */
  query<R = Row>(statement: Statement): Promise<readonly R[]>;
  /**
   * Runs all statements as one transaction and returns the rows of each. If one fails, none happened.
   *
   * @throws StoreError
   */
  batch(statements: readonly Statement[]): Promise<readonly (readonly Row[])[]>;
  /**
   * Runs reads that all see the database as it is at one moment, whatever is written meanwhile. Nobody waits for them.
   *
   * @throws StoreError, and what `work` throws.
   */
  snapshot<T>(work: (query: Database['query']) => Promise<T>): Promise<T>;
  /** Releases files and connections. Calls after it fail with `unavailable`. */
  close(): Promise<void>;
}

/**
 * Why a statement failed.
 *
 * - `unavailable`: the database is locked, closed or out of reach. Nothing happened; trying later helps.
 * - `full`: it cannot be written to, because the disk is full, failing or read-only.
 * - `constraint`: a unique, foreign key, check or not-null rule refused it.
 * - `other`: a fault in the statement or the file.
 */
export type StoreReason = 'unavailable' | 'full' | 'constraint' | 'other';

/** A statement failed. The message is for logs, since it may name tables and files; the driver's error is `cause`. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly reason: StoreReason;

  constructor(reason: StoreReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
