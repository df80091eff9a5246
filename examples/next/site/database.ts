import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { dataFolder } from './address.ts';

let db: DatabaseSync | undefined;

/**
 * Opens the site's own database on first use: `next build` loads the pages and needs none. The
 * server and Next's bundle have a connection each.
 */
export function database(): DatabaseSync {
  if (db) return db;
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  db = new DatabaseSync(join(dataFolder, 'site.db'), { timeout: 5_000 });
  db.exec(`
    pragma journal_mode = wal;
    create table if not exists member (
      id text primary key, name text not null unique, display_name text not null, salt blob not null, hash blob not null
    ) strict;
    create table if not exists friend (
      a text not null references member(id), b text not null references member(id), primary key (a, b)
    ) strict;
    create table if not exists session (
      hash blob primary key, member text not null references member(id), expires_ms integer not null
    ) strict;
    create table if not exists attempt (
      subject blob primary key, count integer not null, resets_ms integer not null
    ) strict`);
  return db;
}

export function closeDatabase(): void {
  db?.close();
  db = undefined;
}
