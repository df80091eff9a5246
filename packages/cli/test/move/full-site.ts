import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStores } from '@gantry/server';
import { type Database, type Row, type SqlValue, sql } from '@gantry/store';
import { onTestFinished } from 'vitest';
import { readRows } from '../../src/move/read-rows.ts';
import { movedTables } from '../../src/move/tables.ts';
import { gantry } from '../running-site.ts';

/** Text that databases and drivers like to change. */
const odd = 'Zoë 👩‍👩‍👧 \u0000\u0001 \\ \' " \n é';
/** Seals the site's keys. */
export const masterKey = new Uint8Array(32);
const large = Number.MAX_SAFE_INTEGER;

/** Makes a folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-move-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Makes the data folder of a site with rows in every table, and `members` members with notes. */
export async function fullSite(members = 40): Promise<string> {
  const data = temporaryFolder();
  const { db } = await openStores({ data, database: join(data, 'gantry.db'), masterKey }, { bulk: true });
  await fill(db, members);
  await db.close();
  return data;
}

async function fill(db: Database, members: number): Promise<void> {
  const ids = Array.from({ length: members }, (_, index) => `m-${index}`);
  await db.batch([
    sql`insert into setting (name, value) values ('minimumInterval', '7')`,
    sql`insert into site_version (one, epoch) values (1, 'epoch') on conflict (one) do update set epoch = 'epoch'`,
    sql`insert into app (id, title, url, active) values ('notes', ${odd}, '', 1)`,
  ]);
  for (const [index, id] of ids.entries()) {
    await db.batch([
      sql`insert into member values (${id}, ${`${odd} ${index}`}, '', ${odd}, '', '', '', '', 0, 1, 2, 0, 1, 2, 0)`,
      sql`insert into member_app (member_id, app_id, installed, level, granted) values (${id}, 'notes', 1, 0, null)`,
      ...Array.from(
        { length: 5 },
        (_, key) =>
          sql`insert into app_data (member_id, app_id, key, value) values (${id}, 'notes', ${`k${key}`}, ${odd.repeat(key + 1)})`,
      ),
      sql`insert into activity (id, member_id, app_id, title, url, posted_at_s) values (${`a-${index}`}, ${id}, null, ${odd}, null, ${index})`,
      sql`insert into member_version (member_id, topic, n) values (${id}, 'people', ${large})`,
    ]);
  }
  for (const id of ids.slice(1)) {
    await db.batch([
      sql`insert into friendship (member_id, friend_id) values ('m-0', ${id})`,
      sql`insert into friendship (member_id, friend_id) values (${id}, 'm-0')`,
    ]);
  }
  await db.batch([
    sql`insert into introduction (member_id, said_at_s, digest) values ('m-0', 1, 'd')`,
    sql`insert into removed_member (member_id, removed_at_ms) values ('m-gone', ${large})`,
    sql`insert into member_password (member_id, hash, changed_at_ms) values ('m-0', 'h', 1)`,
    sql`insert into member_session (digest, member_id, created_at_ms, expires_at_ms) values ('s', 'm-0', 1, ${large})`,
    sql`insert into sign_in_limit (subject, attempts, resets_at_ms) values ('m-0', 2, 3)`,
    sql`insert into block (blocked_id, blocker_id) values ('m-0', 'm-1')`,
    sql`insert into consumer (key, kind, method, sealed_secret, member_id, app_id, container, any_member, created_at_ms)
      values ('c', 'app', 'HMAC-SHA1', 'v1.x', null, 'notes', 0, 0, 1)`,
    sql`insert into member_key (id, digest, title, created_at_ms) values ('k', 'd', ${odd}, 1)`,
    sql`insert into request_token (token, consumer_key, flow, sealed_secret, callback, expires_at_ms)
      values ('r', 'c', 'member', 'v1.x', 'oob', 1)`,
    sql`insert into access_token (token, consumer_key, member_id, flow, sealed_secret, created_at_ms)
      values ('t', 'c', 'm-0', 'member', 'v1.x', 1)`,
    sql`insert into last_post (poster, member_id, activity_id, posted_at_ms) values ('p', 'm-0', 'a-0', 1)`,
    sql`insert into keyed_post (member_id, poster, post_key, digest, activity_id, posted_at_ms)
      values ('m-0', 'p', 'k', 'd', 'a-0', 1)`,
    sql`insert into album values ('al', 'm-0', ${odd}, '', '', 'IMAGE', 0)`,
    sql`insert into media_item values ('i', 'al', ${odd}, '', 'IMAGE', 1, 1, ${large}, '', '', 0)`,
    sql`insert into media_file values ('f', 'i', 'file', 'image/png')`,
    sql`insert into app_registrations (id, folder, manifest, consumer_key, consumer_secret) values ('notes', '/n', '{}', 'c', 'v1.x')`,
    sql`insert into app_grants (viewer, app_id, permission, granted, manifest_digest, decided_at_ms)
      values ('m-0', 'notes', 'people.get', 1, 'd', 1)`,
    sql`insert into removed_apps (id, registration, name, consumer_key, removed_at_ms) values ('old', 'x', ${odd}, 'c', 1)`,
    sql`insert into write_log (viewer, app, id, digest, state, attempt, reply, at_ms)
      values ('m-0', 'notes', 'w', 'd', 'started', 'a', null, 1)`,
    sql`insert into having_report (viewer, app_id, removes_data, changed_at_ms, is_pending, due_at_ms)
      values ('m-0', 'notes', 0, 1, 1, 1)`,
    sql`insert into app_chunks (digest, size, seen_at_ms) values ('d', 256, ${large})`,
    sql`insert into app_loose_chunks (digest, since_ms, removing_at_ms) values ('loose', ${large}, null)`,
    sql`insert into app_chunk_bytes (digest, bytes) values ('d', ${Uint8Array.from({ length: 256 }, (_, byte) => byte)})`,
    sql`insert into app_versions (app_id, registration, digest, state, bytes, made_by, made_at_ms, named_at_ms, statement,
        manifest, files) values ('notes', '', 'v', 'accepted', 256, ${odd}, 1, 2, ${odd}, '{}', '[]')`,
    sql`insert into app_version_chunks (app_id, registration, version, chunk) values ('notes', '', 'v', 'd')`,
    sql`insert into app_previews (app_id, registration, member_id, version, accepted, offered_at_ms)
      values ('notes', '', 'm-0', 'v', null, 1)`,
    sql`insert into app_audit (id, at_ms, actor, app_id, action, outcome, detail)
      values ('1', 1, ${odd}, 'notes', 'live', 'done', ${odd})`,
    sql`insert into registry_keys (id, digest, title, apps, may, created_at_ms, expires_at_ms)
      values ('k', 'd', ${odd}, '["notes"]', 'live', 1, ${large})`,
  ]);
}

/** Reads every moved table of a whole site. */
export async function contentOf(db: Database): Promise<Readonly<Record<string, readonly Row[]>>> {
  const content: Record<string, readonly Row[]> = {};
  for (const table of movedTables.site) {
    const rows: Row[] = [];
    for await (const page of readRows(db, table)) rows.push(...page.map(comparable));
    content[table.name] = rows;
  }
  return content;
}

/** Drivers read bytes as objects of several classes. */
function comparable(row: Row): Row {
  const bytes = (value: SqlValue) => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value);
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, bytes(value)]));
}

/** Runs `gantry move` on a data folder. */
export function move(data: string, ...args: string[]): Promise<{ code: number; out: string; err: string }> {
  return gantry(data, 'move', ...args);
}
