import { chmod, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { copySqlite, openSqlite, sql } from '@gantry/store';
import { beforeEach, expect, test } from 'vitest';
import { folderForTest } from '../../wire/test/temporary-folder.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = folderForTest();
  await chmod(folder, 0o755);
  file = join(folder, 'site.db');
});

async function modes(): Promise<Readonly<Record<string, string>>> {
  const names = (await readdir(folder)).sort();
  const all = names.map(async (name) => [name, ((await stat(join(folder, name))).mode & 0o777).toString(8)] as const);
  return Object.fromEntries(await Promise.all(all));
}

const open = { 'site.db': '600', 'site.db-shm': '600', 'site.db-wal': '600' };

test('a database and the files beside it are readable by their owner only, in a folder that is open to others (security rule 30)', async () => {
  const db = openSqlite({ file });
  await db.query(sql`create table t (n integer)`);
  expect(await modes()).toEqual(open);
  await db.close();
});

test('a database that others could read is taken from them when it is opened (security rule 30)', async () => {
  const before = new DatabaseSync(file);
  before.exec('pragma journal_mode = wal; create table t (n integer)');
  expect(await modes()).toEqual({ 'site.db': '644', 'site.db-shm': '644', 'site.db-wal': '644' }); // positive control: SQLite's own
  const db = openSqlite({ file });
  expect(await modes()).toEqual(open);
  await db.close();
  before.close();
});

test('a copy is readable by its owner only, whatever the mode of its source (security rule 30)', async () => {
  const source = new DatabaseSync(file);
  source.exec('create table t (n integer)');
  source.close();
  copySqlite({ source: file, target: join(folder, 'copy.db') });
  expect(await modes()).toEqual({ 'copy.db': '600', 'site.db': '644' });
});

test('a copy takes the place of no file, an empty one neither', async () => {
  new DatabaseSync(file).exec('create table t (n integer)');
  await writeFile(join(folder, 'copy.db'), '');
  expect(() => copySqlite({ source: file, target: join(folder, 'copy.db') })).toThrow('is there already');
});

test('SQLite reports a missing folder', () => {
  expect(() => openSqlite({ file: join(folder, 'missing', 'site.db') })).toThrow('unable to open database file');
});
