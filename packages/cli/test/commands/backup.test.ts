import { chmod, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { folderForTest } from '../../../wire/test/temporary-folder.ts';
import { gantry, type RunningSite, runSite } from '../running-site.ts';

let site: RunningSite;
let folder: string;
beforeEach(async () => {
  site = await runSite();
  folder = folderForTest();
});
afterEach(() => site.stop());

const keys = 10;

/** Writes all keys at once, again and again, each time with the number of the write. */
async function writeOn(acknowledged: number[], isOver: () => boolean): Promise<void> {
  for (let write = 1; !isOver(); write++) {
    const body = Object.fromEntries(Array.from({ length: keys }, (_, key) => [`k${key}`, String(write)]));
    const answer = await site.ask('/appdata/@me/@self/@app', { method: 'POST', body });
    if (answer.status === 200) acknowledged.push(write);
  }
}

test('a backup of a site that is written to is whole, and has what was acknowledged before it began (security rule 22)', async () => {
  const acknowledged: number[] = [];
  let isOver = false;
  const writing = writeOn(acknowledged, () => isOver);
  for (const name of ['one', 'two', 'three']) {
    await expect.poll(() => acknowledged.length).toBeGreaterThan(3);
    const before = acknowledged.at(-1) ?? 0;
    expect(await site.gantry('backup', join(folder, name))).toMatchObject({ code: 0 });
    const copy = new DatabaseSync(join(folder, name, 'gantry.db'), { readOnly: true });
    expect(copy.prepare('pragma integrity_check').all()).toMatchObject([{ integrity_check: 'ok' }]);
    expect(copy.prepare('pragma foreign_key_check').all()).toEqual([]);
    const rows = copy.prepare('select distinct value, count(*) as n from app_data group by value').all();
    copy.close();
    expect(rows).toMatchObject([{ n: keys }]);
    expect(Number(rows[0]?.value)).toBeGreaterThanOrEqual(before);
  }
  isOver = true;
  await writing;
});

test('backups and what is restored from them are readable by their owner only, in folders that are open to others (security rule 30)', async () => {
  const [backup, data] = [join(folder, 'backup'), join(folder, 'data')];
  for (const open of [backup, data]) await mkdir(open, { mode: 0o755 });
  await writeFile(join(site.data, 'media', 'photo'), 'pixels', { mode: 0o644 });
  await chmod(join(site.data, 'keys.json'), 0o644); // control: a plain copy would have this mode
  expect(await site.gantry('backup', backup, '--with-keys')).toMatchObject({ code: 0 });
  expect(await modesBelow(backup)).toEqual(['600']);
  for (const name of ['gantry.db', 'keys.json']) await chmod(join(backup, name), 0o644);
  expect(await gantry(data, 'restore', backup)).toMatchObject({ code: 0, err: '' });
  expect(await modesBelow(data)).toEqual(['600']);
});

/** The different modes of all files below a folder. */
async function modesBelow(path: string): Promise<readonly string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const modes = await Promise.all(files.map(async (file) => ((await stat(file)).mode & 0o777).toString(8)));
  return [...new Set(modes)];
}

test('a backup with keys runs elsewhere, and accepts the keys of its clients', async () => {
  await site.ask('/appdata/@me/@self/@app', { method: 'POST', body: { note: 'kept' } });
  const backup = join(folder, 'backup');
  expect(await site.gantry('backup', backup, '--with-keys')).toMatchObject({
    code: 0,
    out: `Backed up to ${backup}, with the keys: keep it secret.`,
  });
  await site.ask('/appdata/@me/@self/@app', { method: 'POST', body: { note: 'later' } });
  const data = join(folder, 'data');
  expect(await gantry(data, 'restore', backup)).toMatchObject({ code: 0, err: '' });
  const copy = await runSite([], {}, data);
  const answer = await copy.ask('/appdata/@me/@self/@app');
  expect([answer.status, await answer.json()]).toEqual([200, { entry: { 1: { note: 'kept' } } }]);
  await copy.stop();
});

test('a backup of a site whose keys are sealed has them, and needs only the master key (decision 96)', async () => {
  const env = { GANTRY_MASTER_KEY: 'm'.repeat(32) };
  const sealed = await runSite([], env);
  onTestFinished(() => sealed.stop());
  const [backup, data] = [join(folder, 'backup'), join(folder, 'data')];
  expect(await sealed.gantry('backup', backup)).toMatchObject({
    code: 0,
    out: expect.stringContaining('whose keys GANTRY_MASTER_KEY opens'),
  });
  expect(await gantry(data, 'restore', backup)).toMatchObject({ code: 0, err: '' });
  expect((await readdir(data)).sort()).toEqual(['gantry.db', 'media']);
  const again = await runSite([], env, data);
  onTestFinished(() => again.server.close());
  expect((await again.ask('/people/@me/@self')).status).toBe(200);
});

test('a backup has no keys unless it is asked to, and is not restored without any (security rule 8)', async () => {
  const backup = join(folder, 'backup');
  const data = join(folder, 'data');
  await site.gantry('backup', backup);
  expect(await readdir(backup)).toEqual(['backup.json', 'gantry.db', 'media']);
  expect(await gantry(data, 'restore', backup)).toMatchObject({
    code: 2,
    err: 'This backup has no keys, and without them no encrypted secret can be read: name their folder with --keys.',
  });
  expect(await gantry(data, 'restore', backup, '--keys', folder)).toMatchObject({
    code: 2,
    err: `There is no keys.json in ${folder}.`,
  });
  await rm(data, { recursive: true });
  expect(await gantry(data, 'restore', backup, '--keys', site.data)).toMatchObject({ code: 0 });
});

test('neither a backup nor a restore overwrites anything', async () => {
  const backup = join(folder, 'backup');
  await site.gantry('backup', backup, '--with-keys');
  expect(await site.gantry('backup', backup)).toMatchObject({
    code: 2,
    err: expect.stringMatching(/backup is not empty/),
  });
  expect(await gantry(site.data, 'restore', backup)).toMatchObject({
    code: 2,
    err: expect.stringMatching(/is not empty/),
  });
});

test('a backup that was cut short or is damaged is not restored, and nothing is made of it', async () => {
  const backup = join(folder, 'backup');
  const data = join(folder, 'data');
  await site.gantry('backup', backup, '--with-keys');
  await writeFile(join(backup, 'gantry.db'), Buffer.alloc(8_192, 7));
  expect(await gantry(data, 'restore', backup)).toMatchObject({ code: 1, err: expect.stringMatching(/is damaged/) });
  await rm(join(backup, 'backup.json'));
  expect(await gantry(data, 'restore', backup)).toMatchObject({
    code: 2,
    err: expect.stringMatching(/not a complete backup/),
  });
  await expect(readdir(data)).rejects.toThrow('ENOENT');
});

test('backup of a PostgreSQL site suggests pg_dump, without showing the password (security rule 8)', async () => {
  const database = 'postgres://gantry:hidden@db.example/gantry';
  const { code, err } = await site.gantry('backup', join(folder, 'backup'), '--database', database);
  expect([code, err]).toEqual([
    2,
    'For postgres://…@db.example/gantry use pg_dump --format=custom, which copies while the site runs, and the data folder as files.',
  ]);
});

test('a backup says how much of it is files of apps, which the copy has (guide to versions)', async () => {
  const app = join(folder, 'quiz');
  await mkdir(app);
  await writeFile(join(app, 'gadget.json'), JSON.stringify({ name: 'Quiz', page: 'index.html' }));
  await writeFile(join(app, 'index.html'), '<!doctype html>'.padEnd(300_000, ' '));
  await site.gantry('app', 'add', app);
  const { out, err } = await site.gantry('backup', join(folder, 'backup'), '--json');
  // One chunk of 256 KiB, the rest of the page, and the manifest, which counts as 4,096 bytes.
  expect(JSON.parse(out)).toMatchObject({ appBytes: 304_096 });
  expect(err).toContain('Copied the database, of which files of apps are 305 kB.');
  const data = join(folder, 'data');
  await gantry(data, 'restore', join(folder, 'backup'), '--keys', site.data);
  const [quiz] = JSON.parse((await gantry(data, 'app', 'list', '--json')).out);
  expect(quiz).toMatchObject({ id: 'quiz', source: { kind: 'stored' }, bytes: 300_035 });
});
