// By itself, so that declarations of the package name no type of the driver.
export interface PostgresOptions {
  /** `postgres://user:password@host:port/database?sslmode=verify-full`. */
  readonly url: string;
  /** Open connections at most; further statements wait. Default 10. */
  readonly connections?: number;
  /**
   * `full` (default): an acknowledged write survives a crash of the server. `normal`: the writes of
   * the last second may be lost, and nothing is ever torn.
   */
  readonly sync?: 'full' | 'normal';
  /**
   * For long work that can be repeated, such as an import: `sync` is `normal`, statements have no
   * time limit, and there is `batchUnchecked`.
   */
  readonly bulk?: boolean;
  /** Longest wait of a statement for a lock. Default 5,000 ms. */
  readonly lockTimeoutMs?: number;
  /**
   * One connection, while no other process may have any (docs/decisions/0079-moving.md). The first
   * statement fails with `unavailable` if one has.
   */
  readonly exclusive?: boolean;
  /**
   * The address is that of a pooler, which may give each transaction another connection: nothing is
   * set for a session, and no statement is named. Default: found out by the first connection.
   */
  readonly pooled?: boolean;
  /** The server's own address, to listen at, if `url` is that of a pooler. */
  readonly directUrl?: string | undefined;
}
