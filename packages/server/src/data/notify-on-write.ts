import type { ChangeLog, Database, Statement } from '@gantry/store';

/** Wraps a database: calls `notify` after each write to the log of changes. */
export function notifyOnWrite(db: Database, log: ChangeLog, notify: () => void): Database {
  async function thenNotify<T>(work: Promise<T>): Promise<T> {
    const result = await work;
    notify();
    return result;
  }

  const { batchUnchecked } = db;
  return {
    ...db,
    query<R>(statement: Statement) {
      const work = db.query<R>(statement);
      return log.adds(statement) ? thenNotify(work) : work;
    },
    batch(statements) {
      const work = db.batch(statements);
      return statements.some(log.adds) ? thenNotify(work) : work;
    },
    ...(batchUnchecked && {
      batchUnchecked: (statements: readonly Statement[], tables: Statement) =>
        thenNotify(batchUnchecked(statements, tables)),
    }),
  };
}
