import {
  addConsumer,
  listConsumers,
  listMembers,
  memberExists,
  readSettings,
  revokeConsumer,
  writeSetting,
} from '@gantry/service';
import { describe, expect, test } from 'vitest';
import { installApp, uninstallApp } from '../apps.ts';
import { databases } from '../databases.ts';
import { ids, openSite, secretKey, village } from '../site.ts';

describe.each(databases)('administration on $name', ({ open }) => {
  test('a fresh key and secret have at least 128 random bits', async () => {
    const site = await openSite(open, village);
    const made = await Promise.all([1, 2].map(() => addConsumer(site.db, { secretKey, kind: 'app', appId: 'notes' })));
    for (const { key, secret } of made) {
      expect(key).toMatch(/^[0-9a-f]{32}$/);
      expect(secret).toMatch(/^[0-9a-f]{64}$/);
    }
    expect(made[0]?.key).not.toBe(made[1]?.key);
  });

  test('consumers are listed without their secrets', async () => {
    const site = await openSite(open, { ...village, consumers: [] });
    const spec = { secretKey, key: 'k', secret: 'plain-as-day', now: () => Date.parse('2026-05-01T00:00:00Z') };
    await addConsumer(site.db, { ...spec, kind: 'app', appId: 'notes', container: true });
    expect(await listConsumers(site.db)).toEqual([
      {
        key: 'k',
        kind: 'app',
        title: '',
        method: 'HMAC-SHA1',
        requireBodyHash: false,
        appId: 'notes',
        container: true,
        anyMember: false,
        createdAt: '2026-05-01T00:00:00.000Z',
      },
    ]);
  });

  test('revoking says whether there was such a consumer', async () => {
    const site = await openSite(open, village);
    expect(await revokeConsumer(site.db, 'member-1')).toBe(true);
    expect(await revokeConsumer(site.db, 'member-1')).toBe(false);
  });

  test.each([
    [{ kind: 'app' }, 'A consumer of the kind app needs the id of its app.'],
    [{ kind: 'app', appId: 'nothing' }, 'There is no app nothing.'],
    [{ kind: 'app', appId: "'; drop" }, 'There is no app with this id.'],
    [{ kind: 'app', appId: 'notes', memberId: '1' }, 'A consumer of the kind app belongs to no member.'],
    [{ kind: 'app', appId: 'notes', anyMember: true }, 'Only a consumer of the kind admin can act for any member.'],
    [{ kind: 'member' }, 'A consumer of the kind member needs the id of its owner.'],
    [{ kind: 'member', memberId: '404' }, 'There is no member 404.'],
    [{ kind: 'member', memberId: '1', appId: 'notes' }, 'A consumer of the kind member has no app.'],
    [{ kind: 'member', memberId: '1', container: true }, 'Only a consumer of the kind app can be marked container.'],
    [{ kind: 'admin', key: 'a b' }, 'A consumer key has 1 to 255 printable characters without spaces.'],
  ] as const)('%j is refused: %s (contract §5)', async (spec, message) => {
    const site = await openSite(open, { ...village, consumers: [] });
    await expect(addConsumer(site.db, { secretKey, ...spec })).rejects.toThrow(message);
    expect(await listConsumers(site.db)).toEqual([]);
  });

  test('an app is installed for members that exist, and taken away again', async () => {
    const site = await openSite(open, village);
    const withApp = async () => ids(await site.get('/people/@me/@friends?filterBy=hasApp'));
    await installApp(site.db, { appId: 'notes', memberId: '10' });
    expect(await withApp()).toEqual(['2', '10']);
    await uninstallApp(site.db, { appId: 'notes', memberId: '2' });
    expect(await withApp()).toEqual(['10']);
    await expect(installApp(site.db, { appId: 'notes', memberId: '404' })).rejects.toThrow(
      'install.memberId names a member that does not exist',
    );
    await expect(installApp(site.db, { appId: 'nothing', memberId: '1' })).rejects.toThrow(
      'install.appId names an app that does not exist',
    );
  });

  test("after removal, the last visibility of an app's activities stays, also when it comes back (contract §6)", async () => {
    const activities = [{ id: '1', userId: '2', title: 'x', postedTime: '2026-05-01T00:00:00Z', appId: 'notes' }];
    const site = await openSite(open, { ...village, activities });
    await installApp(site.db, { appId: 'notes', memberId: '2', visibility: 'friends' });
    await uninstallApp(site.db, { appId: 'notes', memberId: '2' });
    const seen = async (as: string) => ids(await site.get('/activities/2/@self', { as }));
    expect([await seen('1'), await seen('5')]).toEqual([['1'], []]);
    await installApp(site.db, { appId: 'notes', memberId: '2' });
    expect([await seen('1'), await seen('5')]).toEqual([['1'], []]);
  });

  test('members are listed in the order of their ids, in pages', async () => {
    const site = await openSite(open, village);
    expect(await listMembers(site.db, { startIndex: 4, count: 5 })).toEqual([
      { id: '5', displayName: 'Fay', thumbnailUrl: '' },
      { id: '10', displayName: 'Cy', thumbnailUrl: '' },
    ]);
    expect((await listMembers(site.db)).map(({ id }) => id)).toEqual(['1', '2', '3', '4', '5', '10']);
    expect([await memberExists(site.db, '1'), await memberExists(site.db, '404')]).toEqual([true, false]);
  });

  test('settings have defaults, and wrong ones are refused with what would be right', async () => {
    const site = await openSite(open);
    expect(await readSettings(site.db)).toEqual({
      name: 'Gantry',
      timeZone: 'UTC',
      apiVersion: '1.2',
      albums: true,
      minimumInterval: 30,
      pageSize: 20,
      rateLimit: 0,
      rateBurst: 100,
      albumsPerMember: 100,
      photosPerAlbum: 500,
      photoMegabytes: 20,
      memberMegabytes: 1000,
    });
    await expect(writeSetting(site.db, 'pageSize', '0')).rejects.toThrow(
      'pageSize must be a whole number from 1 to 100.',
    );
    await expect(writeSetting(site.db, 'apiVersion', '2')).rejects.toThrow('apiVersion must be 1.2 or 0.9.3.');
    await expect(writeSetting(site.db, 'minimumInterval', '-1')).rejects.toThrow('from 0 to 86400');
    await expect(writeSetting(site.db, '__proto__', '1')).rejects.toThrow(
      '__proto__ is no setting: the settings are name, timeZone, apiVersion, albums, minimumInterval, pageSize, rateLimit, rateBurst, albumsPerMember, photosPerAlbum, photoMegabytes, memberMegabytes.',
    );
  });
});
