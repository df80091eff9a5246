import type { SqlValue, Statement } from './sql.ts';

/**
 * One row by column name. It may have no prototype, so read members and never call methods on it.
 */
export type Row = Readonly<Record<string, SqlValue>>;

/** The port to a relational database, with `test/store-contract.ts` as its contract. */
export interface Database {
  /** Runs one statement by itself and resolves with its rows. @throws StoreError */
  query<R = Row>(statement: Statement): Promise<readonly R[]>;
  /** Runs all as one transaction and resolves with the rows of each. @throws StoreError */
  batch(statements: readonly Statement[]): Promise<readonly (readonly Row[])[]>;
  /**
   * Runs reads that all see the database at one moment. Writes go on meanwhile and wait for none.
   *
   * @throws StoreError, and any error of `work`.
   */
  snapshot<T>(work: (query: Database['query']) => Promise<T>): Promise<T>;
  /**
   * Runs a batch without checks of foreign keys, which the caller has made. Absent: they are always
   * checked.
   *
   * @param tables Tables that nothing else writes meanwhile, separated by commas.
   */
  batchUnchecked?(statements: readonly Statement[], tables: Statement): Promise<readonly (readonly Row[])[]>;
  /** Standbys that may answer reads. Absent: there are none. */
  readonly copies?: Copies;
  /** Announcements between the processes of one database. Absent: it has none. */
  readonly wakes?: Wakes;
  /** Releases files and connections. Later calls fail with `unavailable`. */
  close(): Promise<void>;
}

/** Announcements of writes, which carry nothing. One may be lost: `isAlive` says when to poll. */
export interface Wakes {
  /** Announces writes of this process to the others, within milliseconds. */
  notify(): void;
  /**
   * Calls a listener after announcements of other processes.
   *
   * @returns A function that ends the listening.
   */
  listen(listener: () => void): () => void;
  /** False if an announcement of the last two seconds may not have arrived. */
  readonly isAlive: boolean;
}

/** Copies of a database that follow it and may be behind, such as standbys. */
export interface Copies {
  /**
   * Resolves with the database reading from a copy that `isCurrent` accepts; `undefined` if the one
   * whose turn it is does not pass, is away or takes too long.
   */
  find(isCurrent: (copy: Database) => Promise<boolean>): Promise<Database | undefined>;
}

/**
 * Kinds of failure of a statement.
 *
 * - `unavailable`: the database is locked, closed or out of reach. Nothing was written; retry
 *   later.
 * - `full`: the disk is full, failing or read-only.
 * - `constraint`: a unique, foreign key, check or not-null rule was violated.
 * - `other`: a fault in the statement or the file.
 */
export type StoreReason = 'unavailable' | 'full' | 'constraint' | 'other';

/** The failure of a statement. The message, for logs, may name tables; `cause` is the driver's. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly reason: StoreReason;

  constructor(reason: StoreReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
