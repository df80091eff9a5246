import { serviceMigrations } from '@gantry/service';
import { migrate, sql } from '@gantry/store';
import { describe, expect, test } from 'vitest';
import { createSchema } from '../../../store/test/postgres.ts';
import { installApp, uninstallApp } from '../apps.ts';
import { databases } from '../databases.ts';
import { exported, fileDatabases, imported } from '../exported-files.ts';
import { call } from '../rpc-client.ts';
import { openSite, type Site, village } from '../site.ts';

const self = '/appData/@me/@self/@app';
const bound = 'AppData of one member and app may hold 1000 keys and 102400 bytes in all.';

function keys(count: number, { from = 0, value = '' } = {}): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${from + index}`, value]));
}

async function write(site: Site, body: unknown): Promise<number> {
  return (await site.send({ method: 'POST', path: self, body })).status;
}

async function stored(site: Site): Promise<number> {
  const { entry } = (await site.get(self)).json as { entry: Record<string, object> };
  return Object.keys(entry[1] ?? {}).length;
}

/** Stores a member as versions without the bound did. */
async function withKeys(site: Site, count: number): Promise<void> {
  await site.add({ appData: [{ appId: 'notes', memberId: '1', data: keys(count) }] });
}

describe.each(fileDatabases)('keys of AppData on $name', ({ open }) => {
  test('1,000 are kept, in any number of writes; one more is refused, and nothing of it is saved (contract §8 Bounds)', async () => {
    const site = await openSite(open, village);
    expect(await write(site, keys(1_000))).toBe(200);
    expect(await stored(site)).toBe(1_000);
    const reply = await site.send({ method: 'POST', path: self, body: { k7: 'new', k1000: 'one more' } });
    expect([reply.status, reply.json.error?.message]).toEqual([400, bound]);
    expect((await site.get(`${self}?fields=k7,k1000`)).json.entry).toEqual({ 1: { k7: '' } });
    expect(await write(site, { k7: 'overwritten' })).toBe(200);
    expect(await write(site, keys(1_001))).toBe(400);
    expect((await call(site, 'appdata.update', { data: keys(1_001) })).error).toMatchObject({
      code: 400,
      message: bound,
    });
    await site.send({ method: 'DELETE', path: `${self}?fields=k1` });
    expect(await write(site, { another: '' })).toBe(200);
  });

  test('writes in parallel do not pass the bound (contract §8 Bounds)', async () => {
    const site = await openSite(open, village);
    const batches = Array.from({ length: 6 }, (_, index) => keys(200, { from: 200 * index }));
    const statuses = await Promise.all(batches.map((body) => write(site, body)));
    expect(statuses.sort()).toEqual([200, 200, 200, 200, 200, 400]);
    expect(await stored(site)).toBe(1_000);
  });

  test('a member with more reads, overwrites and deletes them, and adds none until they are below (contract §8 Bounds)', async () => {
    const site = await openSite(open, village);
    await withKeys(site, 1_500);
    expect(await stored(site)).toBe(1_500);
    expect(await write(site, keys(1_000, { value: 'v' }))).toBe(200);
    expect(await write(site, { more: '' })).toBe(400);
    await site.send({ method: 'DELETE', path: `${self}?fields=k0,k1` });
    expect(await write(site, { more: '' })).toBe(400);
    const others = Object.keys(keys(500, { from: 2 })).join();
    await site.send({ method: 'DELETE', path: `${self}?fields=${others}` });
    expect(await stored(site)).toBe(998);
    expect(await write(site, { more: '', most: '' })).toBe(200);
    expect(await write(site, { beyond: '' })).toBe(400);
    await site.send({ method: 'DELETE', path: self });
    expect(await write(site, keys(1_000))).toBe(200);
  });

  test('removing the app takes the leave to have more with it (contract §6, §8 Bounds)', async () => {
    const site = await openSite(open, village);
    await withKeys(site, 1_500);
    await uninstallApp(site.db, { appId: 'notes', memberId: '1' });
    await installApp(site.db, { appId: 'notes', memberId: '1' });
    expect(await write(site, keys(1_000))).toBe(200);
    expect(await write(site, { more: '' })).toBe(400);
  });

  test('an export of a member with more imports into another site, and again into its own (contract §8 Bounds, §9)', async () => {
    const site = await openSite(open, village);
    await withKeys(site, 1_500);
    const text = await exported(site.db);
    const copy = await openSite(open, {});
    await imported(copy, text);
    await imported(copy, text);
    await imported(site, text);
    for (const each of [copy, site]) {
      expect(await each.db.query(sql`select app_data_keys as n from member_app where app_data_keys > 0`)).toMatchObject(
        [{ n: 1_500 }],
      );
    }
  });

  test('records add no more than a write may, however they are split (contract §8 Bounds)', async () => {
    const site = await openSite(open, village);
    const record = (data: object) => ({ kind: 'appData', appId: 'notes', memberId: '1', data });
    await site.add({ appData: [{ appId: 'notes', memberId: '1', data: keys(900) }] });
    const more = { appData: [{ appId: 'notes', memberId: '1', data: keys(101, { from: 900 }) }] };
    await expect(site.add(more)).rejects.toThrow(bound);
    const lines = [record(keys(1_400)), record(keys(101, { from: 1_400 }))]
      .map((line) => JSON.stringify(line))
      .join('\n');
    await expect(imported(site, lines)).rejects.toThrow(
      'Line 2: appData.data and the stored data together are too much',
    );
    expect(await stored(site)).toBe(900);
  });

  test('a database from before the bounds is counted once, and its names and pictures are as long as records have them (contract §8 Bounds)', async () => {
    const db = open === databases[1]?.open ? (await createSchema()).connect() : await open();
    await migrate(db, { name: 'service', migrations: serviceMigrations.filter(({ number }) => number < 13) });
    await db.batch([
      sql`insert into member (id, display_name, thumbnail_url, about_me, region, birthday, gender, language, about_me_level,
        region_level, age_level, birthday_level, gender_level, language_level, admin)
        values ('1', ${'é'.repeat(5_000)}, ${`/${'x'.repeat(2_000)}`}, '', '', '', '', '', 0, 0, 0, 0, 0, 0, 0)`,
      sql`insert into app (id, title, url, active) values ('notes', 'Notes', '', 1), ('photos', 'Photos', '', 1)`,
      sql`insert into member_app (member_id, app_id, installed, level, app_data_bytes)
        values ('1', 'notes', 1, 0, 100), ('1', 'photos', 1, 0, 2)`,
      sql`insert into app_data (member_id, app_id, key, value) values ${sql.rows(
        Array.from({ length: 1_200 }, (_, index) => ['1', 'notes', `k${index}`, '']),
      )}`,
      sql`insert into app_data (member_id, app_id, key, value) values ('1', 'photos', 'k', 'v')`,
    ]);
    await migrate(db, { name: 'service', migrations: serviceMigrations });
    expect(await db.query(sql`select display_name, thumbnail_url from member`)).toMatchObject([
      { display_name: 'é'.repeat(1_000), thumbnail_url: '' },
    ]);
    expect(
      await db.query(sql`select app_id, app_data_keys, app_data_keys_most from member_app order by app_id`),
    ).toMatchObject([
      { app_id: 'notes', app_data_keys: 1_200, app_data_keys_most: 1_200 },
      { app_id: 'photos', app_data_keys: 1, app_data_keys_most: 1_000 },
    ]);
    await db.close();
  });
});
