import { describe, expect, test } from 'vitest';
import { databases } from '../databases.ts';
import { call, rpc } from '../rpc-client.ts';
import { openSite, village } from '../site.ts';

describe.each(databases)('activities by JSON-RPC on $name', ({ open }) => {
  const openVillage = () => openSite(open, village);

  test('a post answers the activity, and streams list it (contract §3, §8)', async () => {
    const site = await openVillage();
    const { data } = await call(site, 'activities.create', { activity: { title: 'Hello', url: '/a', id: '7' } });
    const posted = {
      id: expect.stringMatching(/^\d{22}$/),
      userId: '1',
      title: 'Hello',
      postedTime: '2026-05-20T12:00:00+00:00',
      url: 'https://social.example/a',
    };
    expect(data).toEqual(posted);
    const list = { list: [posted], startIndex: 0, totalResults: 1, itemsPerPage: 20 };
    expect((await call(site, 'activities.get')).data).toEqual(list);
    expect((await call(site, 'activities.get', { appId: '@app' })).data).toEqual(list);
    expect((await call(site, 'activities.get', { appId: 'notes' })).data).toEqual(list);
    expect((await call(site, 'activities.get', { groupId: '@friends' }, { as: '2' })).data).toEqual(list);
  });

  test('without appId a stream is of all apps, with another app it is 403 (contract §4, §8)', async () => {
    const site = await openVillage();
    await call(site, 'activities.create', { activity: { title: 'Photo' } }, { key: 'photos-container' });
    expect((await call(site, 'activities.get')).data).toMatchObject({ totalResults: 1 });
    expect((await call(site, 'activities.get', { appId: '@app' })).data).toMatchObject({ list: [], totalResults: 0 });
    for (const appId of ['photos', 'nothing', '@nothing']) {
      expect((await call(site, 'activities.get', { appId })).error?.code, appId).toBe(403);
    }
    expect((await call(site, 'activities.get', { appId: '@app' }, { key: 'member-1' })).error?.code).toBe(403);
  });

  test('a post within the interval is 503 with data.retryAfter (contract §4)', async () => {
    const site = await openVillage();
    const post = { method: 'activities.create', params: { activity: { title: 'Hello' } } };
    site.nowMs += 400;
    expect((await rpc(site, post)).json.data).toMatchObject({ title: 'Hello' });
    site.nowMs += 1_500;
    const { json } = await rpc(site, [post, post, { method: 'people.get' }]);
    expect(json[0]?.error).toEqual({
      code: 503,
      message: 'Only one activity may be posted every 30 seconds.',
      data: { reason: 'POSTED_TOO_SOON', retryAfter: 29 },
    });
    expect(json[1]?.error?.code).toBe(503);
    expect(json[2]?.data).toMatchObject({ id: '1' });
    site.nowMs += 28_500;
    expect((await rpc(site, post)).json.data).toMatchObject({ title: 'Hello' });
  });

  test('a post for another member is 403, existing or not (contract §1)', async () => {
    const site = await openVillage();
    for (const userId of ['2', '404']) {
      expect((await call(site, 'activities.create', { userId, activity: { title: 'x' } })).error?.code).toBe(403);
    }
  });
});
