import { writeFileSync } from 'node:fs';
import { ownerOnly } from './private-file.ts';
import { openSqlite, type SqliteDatabase } from './sqlite.ts';
import { takesBytes } from './sqlite-bytes.ts';

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
export function openSqliteCopy(options: { readonly content: Uint8Array; readonly file: string }): SqliteDatabase {
  const { content, file } = options;
  if (takesBytes) return openSqlite({ file: ':memory:', content, sync: 'normal' });
  writeFileSync(file, content, { mode: ownerOnly, flag: 'wx' });
  return openSqlite({ file, sync: 'normal' });
}
