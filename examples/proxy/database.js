import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Folder of all data: the site's database, the shared key, and Gantry's own folder. */
export const data = process.env.DATA ?? join(import.meta.dirname, 'data');

export function openDatabase() {
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const db = new DatabaseSync(join(data, 'site.db'));
  db.exec(`
    create table if not exists member (
      id text primary key, name text not null unique, display_name text not null, salt blob not null, hash blob not null
    ) strict;
    create table if not exists friend (a text not null, b text not null, primary key (a, b)) strict;
    create table if not exists session (hash blob primary key, member text not null, expires_ms integer not null) strict;
    create table if not exists consumer (key text primary key, secret text not null, app text not null unique) strict;
    create table if not exists nonce (consumer text, at_s integer, nonce text, primary key (consumer, at_s, nonce)) strict;
    create table if not exists app_data (
      app text, member text, key text, value text not null, primary key (app, member, key)
    ) strict`);
  return db;
}
