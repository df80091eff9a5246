import { openSqlite, type SqliteDatabase } from './sqlite.ts';
import { takesBytes, writeBytes } from './sqlite-bytes.ts';

/**
 * Opens a separate database with this content: in memory or, before Node 24, in `file`.
 *
 * @example
 * const db = openSqlite({ file: ':memory:' });
 * await db.query(sql`create table note (text text)`);
 * const copy = openSqliteCopy({ content: db.bytes(), file: '/tmp/not-used-since-node-24.db' });
 * await copy.query(sql`select * from note`); // []
 * await copy.close();
 * await db.close();
 * @param options.content From `bytes` of a database.
 * @param options.file Path of no file yet. The caller removes it.
 */
export function openSqliteCopy({
  content,
  file,
}: {
  readonly content: Uint8Array;
  readonly file: string;
}): SqliteDatabase {
  if (takesBytes) return openSqlite({ file: ':memory:', content, sync: 'normal' });
  writeBytes(file, content);
  return openSqlite({ file, sync: 'normal' });
}
