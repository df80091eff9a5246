import { openSqlite, type SqliteDatabase } from './sqlite.ts';
import { takesBytes, writeBytes } from './sqlite-bytes.ts';

/**
 * Opens a database of its own with this content: in memory or, before Node 24, in `file`.
 *
 * @param options.content As `bytes` of a database returned it.
 * @param options.file Where nothing is yet. Removing it is left to the caller.
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
