import pg from 'pg';
import type { SqlValue } from './sql.ts';

// PostgreSQL cannot store U+0000, which JSON text may hold. `U+0001 0` stands for it, and
// `U+0001 1` for U+0001. Each text has one form, and the order by code point stays the same.

/** Converts a value to the form that the driver sends. */
export function bindable(value: SqlValue): SqlValue {
  if (typeof value !== 'string' || !(value.includes('\x01') || value.includes('\0'))) return value;
  return value.replaceAll('\x01', '\x011').replaceAll('\0', '\x010');
}

function text(sent: string): string {
  return sent.includes('\x01') ? sent.replaceAll('\x010', '\0').replaceAll('\x011', '\x01') : sent;
}

function whole(sent: string): number | bigint {
  const value = Number(sent);
  return Number.isSafeInteger(value) ? value : BigInt(sent);
}

const { builtins } = pg.types;

const parsers: ReadonlyMap<number, (sent: string) => SqlValue> = new Map<number, (sent: string) => SqlValue>([
  [builtins.TEXT, text],
  [builtins.VARCHAR, text],
  [builtins.INT8, whole],
  [builtins.NUMERIC, Number], // the sum of whole numbers
  [builtins.BOOL, (sent) => (sent === 't' ? 1 : 0)],
]);

/** Parsers of columns: whole numbers become numbers, booleans 0 and 1, bytes stay bytes. */
export const postgresTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers.get(oid)) || pg.types.getTypeParser(oid, format),
};

/**
 * Translates a change of schema for PostgreSQL: text is ordered by code point whatever the
 * database's collation, whole numbers have 64 bits, and `autoincrement` becomes a sequence. A
 * column of bytes that is added to a table is stored without compression, which costs more than it
 * saves.
 */
export function postgresSchemaText(statement: string): string {
  return statement
    .replace(/\badd column (\w+) blob\b/gi, '$&, alter column $1 set storage external')
    .replace(/\bprimary key autoincrement\b/gi, 'generated always as identity primary key')
    .replace(/(?<=\w\s+)text\b/gi, 'text collate "C"')
    .replace(/(?<=\w\s+)(integer|int)\b/gi, 'bigint')
    .replace(/(?<=\w\s+)real\b/gi, 'double precision')
    .replace(/(?<=\w\s+)blob\b/gi, 'bytea');
}
