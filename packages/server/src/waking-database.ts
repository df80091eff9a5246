import type { ChangeLog, Database, Statement } from '@gantry/store';

/** The same database; `wake` is called once something was added to the log of changes, so that pages hear of it at once. */
export function wakingDatabase(db: Database, log: ChangeLog, wake: () => void): Database {
  async function afterwards<T>(statements: readonly Statement[], work: Promise<T>): Promise<T> {
    const result = await work;
    if (statements.some(log.adds)) wake();
    return result;
  }

  return {
    ...db,
    query: <R>(statement: Statement) => afterwards([statement], db.query<R>(statement)),
    batch: (statements) => afterwards(statements, db.batch(statements)),
  };
}
