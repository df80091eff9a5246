import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { signRequest } from '@gantry/oauth';
import { createGantry, type Gantry } from '@gantry/server';
import { sql } from '@gantry/store';
import pino from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { folderForTest } from '../../../wire/test/temporary-folder.ts';
import { main } from '../../src/index.ts';

const url = 'http://localhost:4400';
const consumer = { key: 'notes', secret: 'secret' };
const site = {
  site: { name: 'In trouble' },
  members: [{ id: '1', displayName: 'Ann' }],
  apps: [{ id: 'notes', title: 'Notes', url: 'https://apps.example/notes' }],
  installs: [{ appId: 'notes', memberId: '1' }],
  consumers: [{ ...consumer, kind: 'app', appId: 'notes' }],
};

let data: string;
let gantry: Gantry;

beforeEach(async () => {
  data = folderForTest();
  await writeFile(join(data, 'site.json'), JSON.stringify(site));
  await main(['import', join(data, 'site.json'), '--data', data], {}, { out: () => {}, err: () => {} });
  const log = pino({ level: 'silent' });
  gantry = await createGantry({ data, database: join(data, 'gantry.db'), url, viewer: async () => '1', log });
  expect(await save('before')).toMatchObject({ status: 200 });
});

afterEach(() => gantry.close());

interface Reply {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly json: unknown;
}

async function send(method: string, path: string, body?: object): Promise<Reply> {
  const target = `${path}${path.startsWith('/social') ? '?xoauth_requestor_id=1' : ''}`;
  const timestamp = Math.floor(Date.now() / 1_000);
  const signed = { method, url: url + target, consumer, timestamp, nonce: crypto.randomUUID() };
  const headers = {
    Authorization: signRequest(signed).authorization,
    Host: 'localhost:4400',
    ...(body && { 'Content-Type': 'application/json' }),
  };
  const request = new Request(url + target, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const response = await gantry.fetch(request, target);
  return { status: response.status, retryAfter: response.headers.get('Retry-After'), json: await response.json() };
}

const appData = '/social/rest/appdata/@me/@self/@app';
const save = (note: string): Promise<Reply> => send('POST', appData, { note });
const saved = async (): Promise<unknown> => (await send('GET', appData)).json;
const readiness = () => send('GET', '/readyz');

test('a full disk: writes are refused with 507, reads go on, and it passes (security rule 23)', async () => {
  await gantry.stores.db.query(sql`pragma max_page_count = 1`); // SQLite raises it to the present size
  const refused = await save('x'.repeat(90_000));
  expect(refused).toMatchObject({ status: 507, retryAfter: null, json: { error: { code: 507 } } });
  expect(await saved()).toEqual({ entry: { '1': { note: 'before' } } });
  await gantry.stores.db.query(sql`pragma max_page_count = 1000000`);
  expect(await save('after')).toMatchObject({ status: 200 });
  expect(await saved()).toEqual({ entry: { '1': { note: 'after' } } });
});

test('a read-only database: 507, reads go on, readiness says no, and it passes (security rule 23)', async () => {
  await gantry.stores.db.query(sql`pragma query_only = on`);
  expect(await save('refused')).toMatchObject({ status: 507, retryAfter: null });
  expect(await saved()).toEqual({ entry: { '1': { note: 'before' } } });
  expect(await readiness()).toMatchObject({ status: 503, json: { status: 'storage full or read-only' } });
  await gantry.stores.db.query(sql`pragma query_only = off`);
  expect(await readiness()).toMatchObject({ status: 200, json: { status: 'ready' } });
  expect(await save('after')).toMatchObject({ status: 200 });
});

test('a database that another process keeps locked: 503 with Retry-After, reads go on, readiness says no, and it passes (security rule 23)', async () => {
  const other = new DatabaseSync(join(data, 'gantry.db'));
  other.exec('begin immediate');
  const waiting = save('refused');
  expect(await saved()).toEqual({ entry: { '1': { note: 'before' } } });
  expect(await readiness()).toMatchObject({ status: 503, json: { status: 'database unavailable' } });
  expect(await waiting).toMatchObject({ status: 503, retryAfter: '1', json: { error: { code: 503 } } });
  other.exec('rollback');
  expect(await save('after')).toMatchObject({ status: 200 });
  expect(await readiness()).toMatchObject({ status: 200 });
  other.close();
});
