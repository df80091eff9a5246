import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openSqlite, sql } from '@gantry/store';
import { expect, test } from 'vitest';
import { openNonces } from '../src/nonces.ts';

const bootedAt = 1_800_000_000;
const now = () => (bootedAt + 1_000) * 1000;
const boot = { id: 'boot-1', startedAt: bootedAt };
const use = { consumerKey: 'k', token: '', timestamp: bootedAt + 1_000, nonce: 'n' };

function newFile(): () => Database {
  const file = join(mkdtempSync(join(tmpdir(), 'gantry-nonces-')), 'nonces.db');
  return () => openSqlite({ file, sync: 'normal' });
}

test('a nonce counts once per consumer, token and timestamp (contract §5)', async () => {
  const nonces = await openNonces(newFile()(), { now, boot });
  expect(await nonces.consume(use)).toBe('fresh');
  expect(await nonces.consume(use)).toBe('used');
  for (const other of [{ consumerKey: 'l' }, { token: 't' }, { timestamp: use.timestamp + 1 }, { nonce: 'm' }]) {
    expect(await nonces.consume({ ...use, ...other })).toBe('fresh');
  }
});

test('names and values cannot be shifted into one another', async () => {
  const nonces = await openNonces(newFile()(), { now, boot });
  expect(await nonces.consume({ ...use, consumerKey: 'a', token: 'b', nonce: 'c' })).toBe('fresh');
  expect(await nonces.consume({ ...use, consumerKey: 'a","b', token: '', nonce: 'c' })).toBe('fresh');
  expect(await nonces.consume({ ...use, consumerKey: 'ab', token: '', nonce: 'c' })).toBe('fresh');
});

test('used nonces stay used after a restart (security rule 22)', async () => {
  const open = newFile();
  const first = open();
  expect(await (await openNonces(first, { now, boot })).consume(use)).toBe('fresh');
  await first.close();
  expect(await (await openNonces(open(), { now, boot })).consume(use)).toBe('used');
});

test('processes share them (contract §5)', async () => {
  const open = newFile();
  const [one, two] = [await openNonces(open(), { now, boot }), await openNonces(open(), { now, boot })];
  const verdicts = await Promise.all([one.consume(use), two.consume(use), one.consume(use), two.consume(use)]);
  expect(verdicts.filter((verdict) => verdict === 'fresh')).toHaveLength(1);
});

test('after a boot, timestamps from before it are refused: its nonces may be lost (docs/decisions/0004-nonces.md)', async () => {
  const open = newFile();
  const first = open();
  await openNonces(first, { now, boot });
  await first.close();
  const next = { id: 'boot-2', startedAt: bootedAt + 900 };
  const nonces = await openNonces(open(), { now, boot: next });
  expect(await nonces.consume({ ...use, timestamp: bootedAt + 899 })).toBe('too old');
  expect(await nonces.consume({ ...use, timestamp: bootedAt + 900 })).toBe('fresh');
});

test('a restart of the process in the same boot forgets nothing and refuses nothing (the control)', async () => {
  const open = newFile();
  const first = open();
  await openNonces(first, { now, boot });
  await first.close();
  const nonces = await openNonces(open(), { now, boot });
  expect(await nonces.consume({ ...use, timestamp: bootedAt - 100 })).toBe('fresh');
});

test('a second restart in the new boot still refuses what is older than it', async () => {
  const open = newFile();
  for (const id of ['boot-1', 'boot-2', 'boot-2']) {
    const db = open();
    await openNonces(db, { now, boot: { id, startedAt: bootedAt + 900 } });
    await db.close();
  }
  const nonces = await openNonces(open(), { now, boot: { id: 'boot-2', startedAt: bootedAt + 900 } });
  expect(await nonces.consume({ ...use, timestamp: bootedAt + 899 })).toBe('too old');
});

test('nonces that no timestamp can bring back are pruned, others stay', async () => {
  const db = newFile()();
  const clock = { ms: now() };
  const nonces = await openNonces(db, { now: () => clock.ms, boot });
  await nonces.consume(use);
  clock.ms += 300_000;
  expect(await nonces.consume(use)).toBe('used'); // the oldest that is still timely
  clock.ms += 2_000;
  await nonces.consume({ ...use, timestamp: use.timestamp + 302 });
  await nonces.close();
  const rows = await db.query(sql`select timestamp_s from nonce`);
  expect(rows.map((row) => row.timestamp_s)).toEqual([use.timestamp + 302]);
});
