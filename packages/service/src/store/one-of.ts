import { type Statement, sql } from '@gantry/store';

/** Condition that is true if `column` is one of `values`, which may be empty. */
export function isOneOf(column: Statement, values: readonly string[]): Statement {
  return values.length === 0 ? sql`1 = 0` : sql`${column} in (${sql.list(values)})`;
}
