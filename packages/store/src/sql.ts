import { keepStrings, splicedStrings } from './kept-strings.ts';

/** A value of a column. Booleans are 0 and 1, times are integer milliseconds since the epoch. */
export type SqlValue = string | number | bigint | null | Uint8Array;

const made: unique symbol = Symbol('made by sql');

/**
 * A statement as data: a placeholder for `values[i]` stands between `strings[i]` and
 * `strings[i + 1]`. A driver writes the placeholders of its database: `?` for SQLite, `$1`, `$2`, …
 * for PostgreSQL.
 */
export interface Statement {
  /** The same array for statements of the same templates, as a rule: see `onceForStrings`. */
  readonly strings: readonly string[];
  readonly values: readonly SqlValue[];
  /** A database that can prove that nothing changed may repeat the rows of an earlier read. */
  readonly isRepeated?: true;
  /** Only `sql` sets it: parsed JSON that looks like a statement is refused instead of spliced. */
  readonly [made]: true;
}

/**
 * Tags a template as a statement. Values become parameters, never text; nested statements are
 * spliced in.
 *
 * @throws TypeError for a value that is no `SqlValue`, for example `undefined`, `NaN` or an object.
 */
export function sql(strings: TemplateStringsArray, ...values: readonly (SqlValue | Statement)[]): Statement {
  if (values.some(isStatement)) return splice(strings, values);
  return { strings, values: (values as readonly SqlValue[]).map(checked), [made]: true };
}

const comma: Statement = sql`, `;

/** An empty part of a statement. */
sql.empty = sql``;

/** Joins statements and values, with `, ` unless another separator is given. */
sql.join = (items: readonly (SqlValue | Statement)[], separator: Statement = comma): Statement => {
  if (items.length === 0) return sql.empty;
  const parts = items.flatMap((item, index) => (index === 0 ? [item] : [separator, item]));
  return splice(new Array(parts.length + 1).fill(''), parts);
};

/** Lists names of columns. @throws TypeError for a name with other than small letters and `_`. */
sql.names = (names: readonly string[]): Statement => {
  if (!names.every((name) => /^[a-z_]+$/.test(name))) throw new TypeError('a column is named by letters and _');
  return { strings: [names.join(', ')], values: [], [made]: true };
};

/**
 * Lists values for `in (…)`, the last one repeated up to a power of two. Databases keep prepared
 * statements by their text, so lists of every length would evict all others.
 */
sql.list = (values: readonly SqlValue[]): Statement => {
  const { length } = values;
  if (length === 0) return sql.empty;
  const size = 2 ** Math.ceil(Math.log2(length));
  const all = values.map(checked);
  while (all.length < size) all.push(all[length - 1] as SqlValue);
  return { strings: shortLists.get(size) ?? listStrings(size), values: all, [made]: true };
};

function listStrings(size: number): readonly string[] {
  return ['', ...new Array<string>(size - 1).fill(', '), ''];
}

/** Strings of the usual lists, by size. */
const shortLists = new Map([1, 2, 4, 8, 16, 32].map((size) => [size, keepStrings(listStrings(size))]));

/**
 * Lists rows for `values`: `(?, ?), (?, ?)`. All have as many values as the first.
 *
 * @throws TypeError for no row, and for a value that is no `SqlValue`.
 */
sql.rows = (rows: readonly (readonly SqlValue[])[]): Statement => {
  const width = rows[0]?.length ?? 0;
  if (width === 0) throw new TypeError('rows need at least one value');
  const strings = ['('];
  const values: SqlValue[] = [];
  for (const [index, row] of rows.entries()) {
    if (index > 0) strings[strings.length - 1] = '), (';
    for (let column = 0; column < width; column++) {
      values.push(checked(row[column] as SqlValue));
      strings.push(column === width - 1 ? ')' : ', ');
    }
  }
  return { strings, values, [made]: true };
};

/**
 * Marks a read that requests ask again and again, such as the look-up of a key: a database that can
 * prove that nothing changed since may answer it from memory. Its rows are frozen.
 */
sql.repeated = (statement: Statement): Statement => ({ ...statement, isRepeated: true });

function splice(strings: readonly string[], items: readonly (SqlValue | Statement)[]): Statement {
  const values: SqlValue[] = [];
  const nested: (readonly string[] | undefined)[] = [];
  for (const item of items) {
    if (isStatement(item)) {
      nested.push(item.strings);
      for (const value of item.values) values.push(value);
    } else {
      nested.push(undefined);
      values.push(checked(item));
    }
  }
  return { strings: splicedStrings(strings, nested), values, [made]: true };
}

function isStatement(item: SqlValue | Statement): item is Statement {
  return typeof item === 'object' && item !== null && made in item;
}

function checked(value: SqlValue): SqlValue {
  const kind = typeof value;
  if (kind === 'string' || kind === 'bigint' || value === null || value instanceof Uint8Array) return value;
  if (kind === 'number' && Number.isFinite(value)) return value;
  throw new TypeError('a statement takes text, finite numbers, bytes and null as values');
}
