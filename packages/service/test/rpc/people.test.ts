import { writeSetting } from '@gantry/service';
import { describe, expect, test } from 'vitest';
import { databases } from '../databases.ts';
import { call } from '../rpc-client.ts';
import { openSite, village } from '../site.ts';

const ids = (data: unknown) => (data as { list: readonly { id: string }[] }).list.map(({ id }) => id);

describe.each(databases)('people by JSON-RPC on $name', ({ open }) => {
  const openVillage = () => openSite(open, village);

  test('lists are {list, startIndex, totalResults, itemsPerPage} (contract §8)', async () => {
    const site = await openVillage();
    const { data } = await call(site, 'people.get', { groupId: '@friends' });
    expect(Object.keys(data ?? {})).toEqual(['list', 'startIndex', 'totalResults', 'itemsPerPage']);
    expect(data).toMatchObject({ startIndex: 0, totalResults: 3, itemsPerPage: 20 });
    expect(ids(data)).toEqual(['2', '5', '10']);
    const none = await call(site, 'people.get', { groupId: '@friends' }, { as: '404', key: 'admin-any' });
    expect(none).toEqual({ error: { code: 401, message: expect.any(String) } });
  });

  test('count and startIndex are numbers or decimal strings, null is absent (contract §8)', async () => {
    const site = await openVillage();
    const page = async (paging: object) => (await call(site, 'people.get', { groupId: '@friends', ...paging })).data;
    expect(await page({ count: 1, startIndex: 1 })).toMatchObject({
      list: [{ id: '5' }],
      itemsPerPage: 1,
      startIndex: 1,
    });
    expect(await page({ count: '1', startIndex: '1' })).toMatchObject({ list: [{ id: '5' }], totalResults: 3 });
    expect(await page({ count: null, startIndex: null })).toMatchObject({ itemsPerPage: 20, startIndex: 0 });
    expect(await page({ count: 0, startIndex: -3 })).toMatchObject({ itemsPerPage: 20, startIndex: 0 });
    expect(await page({ count: 1e9, startIndex: 99 })).toMatchObject({
      list: [],
      totalResults: 3,
      itemsPerPage: 100,
    });
  });

  test('bad params are 400 and say what would be right (contract §8)', async () => {
    const site = await openVillage();
    const bad: [string, object][] = [
      ['people.get', { count: 1.5 }],
      ['people.get', { count: '' }],
      ['people.get', { count: 'ten' }],
      ['people.get', { startIndex: true }],
      ['people.get', { startIndex: '1234567890123456' }],
      ['people.get', { count: [1] }],
      ['people.get', { userId: {} }],
      ['people.get', { userId: [] }],
      ['people.get', { userId: [['1']] }],
      ['people.get', { userId: Array.from({ length: 101 }, (_, n) => n) }],
      ['people.get', { groupId: ['@self'] }],
      ['people.get', { fields: { name: 'age' } }],
      ['people.get', { personId: [] }],
      ['people.get', { groupId: '@friends', personId: '2' }],
      ['activities.create', { groupId: '@friends', activity: { title: 'x' } }],
      ['activities.create', { userId: ['1', '2'], activity: { title: 'x' } }],
      ['activities.create', {}],
      ['activities.create', { activity: 'Hello' }],
      ['activities.create', { activity: { title: ' ' } }],
      ['activities.create', { activity: { title: 'x', url: 'https://elsewhere.example/' } }],
      ['appdata.update', {}],
      ['appdata.update', { data: [] }],
      ['appdata.update', { data: { 'a b': 'x' } }],
      ['appdata.update', { data: { k: 1 } }],
      ['appdata.update', { userId: '1,2', data: { k: 'v' } }],
      ['appdata.get', { keys: [] }],
      ['mediaItems.get', { albumId: 'a\0' }],
      ['mediaItems.get', { albumId: {} }],
    ];
    for (const [method, params] of bad) {
      const { error } = await call(site, method, params);
      expect(error, `${method} ${JSON.stringify(params).slice(0, 60)}`).toMatchObject({ code: 400 });
      expect(error?.message).toMatch(/\w+/);
    }
  });

  test('fields and userId are arrays or comma lists (contract §8)', async () => {
    const site = await openVillage();
    const expected = { id: '1', gender: 'female', languagesSpoken: 'en' };
    expect((await call(site, 'people.get', { fields: 'gender, languagesSpoken,nothing' })).data).toMatchObject(
      expected,
    );
    expect((await call(site, 'people.get', { fields: ['gender', 'languagesSpoken'] })).data).toMatchObject(expected);
    expect((await call(site, 'people.get', { fields: null })).data).not.toHaveProperty('gender');
    for (const userId of ['10,4,2', ['10', '4', '2'], ['10', 4, 2]]) {
      expect(ids((await call(site, 'people.get', { userId })).data)).toEqual(['10', '2']); // Ed has blocked Ann
    }
    expect((await call(site, 'people.get', { userId: ['2'] })).data).toMatchObject({ id: '2' });
  });

  test('@me, @viewer, @owner and the own id are the requester, and so is no userId (contract §1, §8)', async () => {
    const site = await openVillage();
    for (const userId of ['@me', '@viewer', '@owner', '1', 1, null, undefined]) {
      expect((await call(site, 'people.get', { userId })).data).toMatchObject({ id: '1', isViewer: true });
    }
  });

  test('personId and pid name one person, as seen by userId (contract §6, §8)', async () => {
    const site = await openVillage();
    expect((await call(site, 'people.get', { personId: '3' })).data).toMatchObject({ id: '3' });
    expect((await call(site, 'people.get', { pid: 3, groupId: '@all' })).data).toMatchObject({ id: '3' });
    expect((await call(site, 'people.get', { pid: '4' })).error?.code).toBe(404);
    expect(ids((await call(site, 'people.get', { personId: ['3', '4', '2'] })).data)).toEqual(['3', '2']);
  });

  test('filterBy hasApp works on friends (contract §2)', async () => {
    const site = await openVillage();
    const { data } = await call(site, 'people.get', { groupId: '@friends', filterBy: 'hasApp' });
    expect(data).toMatchObject({ list: [{ id: '2' }], totalResults: 1 });
  });

  test('a selector that there is not is 404, unknown and invisible members too (contract §1, §4)', async () => {
    const site = await openVillage();
    for (const params of [
      { groupId: '@nobody' },
      { userId: '404' },
      { userId: '4' },
      { userId: 'a/b' },
      { userId: '@nobody' },
    ]) {
      expect((await call(site, 'people.get', params)).error?.code, JSON.stringify(params)).toBe(404);
    }
    expect((await call(site, 'activities.get', { groupId: '@all' })).error?.code).toBe(404);
  });

  test('in version 0.9.3 @friend replaces @friends, and hasApp is absent (contract §7)', async () => {
    const site = await openVillage();
    const { update, friends } = { update: { data: { k: 'v' } }, friends: { groupId: '@friend' } };
    await call(site, 'appdata.update', update, { as: '2' });
    await writeSetting(site.db, 'apiVersion', '0.9.3');
    const people = (await call(site, 'people.get', friends)).data;
    expect(ids(people)).toEqual(['2', '5', '10']);
    expect(people?.list).not.toContainEqual(expect.objectContaining({ hasApp: expect.anything() }));
    expect((await call(site, 'appdata.get', friends)).data).toEqual({ '2': { k: 'v' } });
    expect((await call(site, 'activities.get', friends)).data).toMatchObject({ list: [] });
    for (const method of ['people.get', 'appdata.get', 'activities.get']) {
      expect((await call(site, method, { groupId: '@friends' })).error?.code, method).toBe(404);
    }
    await writeSetting(site.db, 'apiVersion', '1.2');
    expect((await call(site, 'people.get', friends)).error?.code).toBe(404);
  });
});
