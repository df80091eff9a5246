import { writeFileSync } from 'node:fs';
import { ownerOnly } from './private-file.ts';
import { openSqlite, type SqliteDatabase } from './sqlite.ts';
import { takesBytes } from './sqlite-bytes.ts';

/**
 * Opens a separate database with this content: in memory or, before Node 24, in `file`.
 *
 * @param options.content From `bytes` of a database.
 * @param options.file Path of no file yet. The caller removes it.
 */
export function openSqliteCopy(options: { readonly content: Uint8Array; readonly file: string }): SqliteDatabase {
  const { content, file } = options;
  if (takesBytes) return openSqlite({ file: ':memory:', content, sync: 'normal' });
  writeFileSync(file, content, { mode: ownerOnly, flag: 'wx' });
  return openSqlite({ file, sync: 'normal' });
}
