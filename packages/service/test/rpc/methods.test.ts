import { writeSetting } from '@gantry/service';
import { sql } from '@gantry/store';
import { describe, expect, test } from 'vitest';
import { databases } from '../databases.ts';
import { call, rpc } from '../rpc-client.ts';
import { openSite, village } from '../site.ts';

describe.each(databases)('JSON-RPC methods on $name', ({ open }) => {
  const openVillage = () => openSite(open, village);

  test('system.listMethods names what there is, without what the site lacks (contract §8)', async () => {
    const site = await openVillage();
    const all = [
      'activities.create',
      'activities.get',
      'albums.get',
      'appdata.create',
      'appdata.delete',
      'appdata.get',
      'appdata.update',
      'mediaItems.get',
      'people.get',
      'system.listMethods',
    ];
    expect((await call(site, 'system.listMethods')).data).toEqual(all);
    await writeSetting(site.db, 'albums', 'false');
    expect((await call(site, 'system.listMethods')).data).toEqual(
      all.filter((name) => name !== 'albums.get' && name !== 'mediaItems.get'),
    );
  });

  test('an unknown method is -32601 (contract §8)', async () => {
    const site = await openVillage();
    for (const name of [
      '',
      'people',
      'people.put',
      'People.get',
      'messages.send',
      '__proto__',
      'constructor',
      'toString',
    ]) {
      expect((await call(site, name)).error?.code, name).toBe(-32601);
    }
  });

  test('an unimplemented row is 501 (contract §4, §8)', async () => {
    const site = await openVillage();
    const rows: [string, object][] = [
      ['people.get', { groupId: '@all' }],
      ['people.get', { groupId: 'rowers' }],
      ['people.getSupportedFields', {}],
      ['activities.get', { groupId: 'rowers' }],
      ['activities.get', { groupId: 'rowers', appId: '@app' }],
      ['activities.get', { appId: '@app', activityId: 'a' }],
      ['activities.get', { activityId: 'a' }],
      ['activities.getSupportedFields', {}],
      ['appdata.get', { groupId: 'rowers' }],
      ['albums.get', { albumId: 'a' }],
      ['albums.get', { groupId: '@all' }],
      ['albums.create', {}],
      ['albums.update', {}],
      ['albums.delete', {}],
      ['mediaItems.get', { albumId: 'a', mediaItemId: 'm' }],
      ['mediaItems.get', { mediaItemId: 'm' }],
      ['mediaItems.get', { groupId: '@all' }],
      ['mediaItems.create', {}],
      ['mediaItems.update', {}],
      ['mediaItems.delete', {}],
    ];
    for (const [method, params] of rows) {
      expect((await call(site, method, params)).error, `${method} ${JSON.stringify(params)}`).toMatchObject({
        code: 501,
        data: { reason: 'NOT_IMPLEMENTED' },
      });
    }
  });

  test('albums and media items are 501 where the site lacks the extension (§7)', async () => {
    const site = await openVillage();
    await writeSetting(site.db, 'albums', 'false');
    expect((await call(site, 'albums.get')).error?.code).toBe(501);
    expect((await call(site, 'mediaItems.get')).error?.code).toBe(501);
  });

  test('a server fault is -32603 and affects no other call (contract §4)', async () => {
    const site = await openVillage();
    await site.db.query(sql`drop table last_post`);
    const { status, json } = await rpc(site, [
      { method: 'activities.create', id: 1, params: { activity: { title: 'Hello' } } },
      { method: 'people.get', id: 2 },
    ]);
    expect(status).toBe(200);
    expect(json[0]).toEqual({
      id: 1,
      error: { code: -32603, message: 'Something went wrong on our side.', data: { reason: 'INTERNAL' } },
    });
    expect(json[1]).toMatchObject({ id: 2, data: { id: '1' } });
  });
});
