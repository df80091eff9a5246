import type { ChangeLog, Database, Statement } from '@gantry/store';

/** Wraps a database: calls `notify` after each write to the log of changes. */
export function notifyOnWrite(db: Database, log: ChangeLog, notify: () => void): Database {
  async function afterwards<T>(statements: readonly Statement[], work: Promise<T>): Promise<T> {
    const result = await work;
    if (statements.some(log.adds)) notify();
    return result;
  }

  return {
    ...db,
    query: <R>(statement: Statement) => afterwards([statement], db.query<R>(statement)),
    batch: (statements) => afterwards(statements, db.batch(statements)),
  };
}
