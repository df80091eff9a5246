import { describe, expect, test } from 'vitest';
import { databases } from '../databases.ts';
import { call, rpc } from '../rpc-client.ts';
import { openSite, village } from '../site.ts';

describe.each(databases)('AppData by JSON-RPC on $name', ({ open }) => {
  const openVillage = () => openSite(open, village);

  test('update and create write, and answer {} (contract §3, §8)', async () => {
    const site = await openVillage();
    expect(await call(site, 'appdata.update', { data: { a: '1', b: '2' } })).toEqual({ id: 'x', data: {} });
    expect(await call(site, 'appdata.create', { appdata: { b: '3', ['__proto__']: 'data' } })).toEqual({
      id: 'x',
      data: {},
    });
    const { data } = await call(site, 'appdata.get');
    expect(JSON.stringify(data)).toBe('{"1":{"__proto__":"data","a":"1","b":"3"}}');
  });

  test('nothing stored is {"<id>":{}} for one and {} for friends, never null (contract §3, §8)', async () => {
    const site = await openVillage();
    expect((await call(site, 'appdata.get')).data).toEqual({ '1': {} });
    expect((await call(site, 'appdata.get', { groupId: '@friends' })).data).toEqual({});
  });

  test('keys and fields name keys, "*" is every key (contract §2, §8)', async () => {
    const site = await openVillage();
    await call(site, 'appdata.update', { data: { a: '1', b: '2', c: '3' } });
    const read = async (params: object) => (await call(site, 'appdata.get', params)).data?.['1'];
    expect(await read({ keys: ['a', 'c'] })).toEqual({ a: '1', c: '3' });
    expect(await read({ fields: 'a' })).toEqual({ a: '1' });
    expect(await read({ keys: ['a'], fields: 'b' })).toEqual({ a: '1', b: '2' });
    expect(await read({ keys: '*' })).toEqual({ a: '1', b: '2', c: '3' });
    expect(await read({ keys: null })).toEqual({ a: '1', b: '2', c: '3' });
  });

  test('delete takes keys or fields; "*" is all; neither, or an empty list, is 400 (contract §8)', async () => {
    const site = await openVillage();
    const data = { a: '1', b: '2', c: '3', d: '4' };
    await call(site, 'appdata.update', { data });
    for (const params of [
      {},
      { keys: [] },
      { fields: '' },
      { keys: null, fields: null },
      { keys: [], fields: [] },
      { keys: '@all' },
    ]) {
      expect((await call(site, 'appdata.delete', params)).error?.code, JSON.stringify(params)).toBe(400);
    }
    expect((await call(site, 'appdata.get')).data).toEqual({ '1': data });
    expect((await call(site, 'appdata.delete', { keys: ['a', 'nothing'] })).data).toEqual({});
    await call(site, 'appdata.delete', { fields: 'b' });
    expect((await call(site, 'appdata.get')).data).toEqual({ '1': { c: '3', d: '4' } });
    expect((await call(site, 'appdata.delete', { keys: '*' })).data).toEqual({});
    expect((await call(site, 'appdata.get')).data).toEqual({ '1': {} });
  });

  test('the AppData rules are those of REST: 403 and 404 (contract §4)', async () => {
    const site = await openVillage();
    const code = async (method: string, params: object, key?: string) =>
      (await call(site, method, params, key === undefined ? {} : { key })).error?.code;
    expect(await code('appdata.get', { userId: '2' })).toBe(undefined);
    expect(await code('appdata.get', { userId: '3' })).toBe(403); // no friend
    expect(await code('appdata.get', { userId: '5' })).toBe(403); // without the app
    expect(await code('appdata.get', { userId: '4' })).toBe(404); // has blocked
    expect(await code('appdata.get', { appId: 'photos' })).toBe(403);
    expect(await code('appdata.get', {}, 'member-1')).toBe(403);
    expect(await code('appdata.update', { userId: '2', data: { k: 'v' } })).toBe(403);
    expect(await code('appdata.delete', { userId: '2', keys: '*' })).toBe(403);
    expect(await code('appdata.update', { data: { k: 'v' } }, 'photos-container')).toBe(403);
    expect(await code('appdata.update', { appId: 'notes', data: { k: 'v' } })).toBe(undefined);
  });

  test('calls of a batch are made in order: a read sees the write before it', async () => {
    const site = await openVillage();
    const { json } = await rpc(site, [
      { method: 'appdata.update', params: { data: { k: '1' } } },
      { method: 'appdata.get' },
      { method: 'appdata.delete', params: { keys: '*' } },
      { method: 'appdata.get' },
    ]);
    expect(json.map(({ data }) => data)).toEqual([{}, { '1': { k: '1' } }, {}, { '1': {} }]);
  });
});
