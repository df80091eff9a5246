import { type Statement, sql } from '@gantry/store';

/** True where `column` is one of `values`, of which there may be none. */
export function isOneOf(column: Statement, values: readonly string[]): Statement {
  return values.length === 0 ? sql`1 = 0` : sql`${column} in (${sql.list(values)})`;
}
