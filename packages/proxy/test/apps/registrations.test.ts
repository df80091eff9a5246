import { type AppRegistration, listApps, removeApp } from '@gantry/proxy';
import { type Database, sql } from '@gantry/store';
import { expect, test } from 'vitest';
import { createCallerLookup } from '../../src/access/callers.ts';
import { registerApp } from '../register-app.ts';
import { consumerOf, openSite, secretKey } from '../site.ts';

const registration: AppRegistration = {
  id: 'clock',
  folder: '/srv/clock',
  manifest: { name: 'Clock', page: 'index.html' },
  consumerKey: 'ck',
  consumerSecret: 'cs',
};

const versions = { find: async () => undefined, stillShown: async () => new Set<string>() };
const gadgetOf = (app: string) => ({ app, registration: '', isLimited: false });

async function consumer(db: Database, id: string) {
  const gadget = gadgetOf(id);
  const { find } = createCallerLookup({ db, secretKey, versions });
  return (await find({ viewer: '7', gadgets: [gadget] }))(gadget)?.consumer;
}

test('apps are listed by id, shorter ones first, without key or secret (security rule 8)', async () => {
  const { db } = await openSite();
  const apps = await listApps(db);
  expect(apps.map(({ id, source }) => [id, source.kind])).toEqual([
    ['notes', 'served'],
    ['friends', 'served'],
    ['elsewhere', 'remote'],
  ]);
  expect(JSON.stringify(apps)).not.toMatch(/ck-|cs-/);
});

test('a secret is encrypted at rest, and bound to its app (security rule 8)', async () => {
  const { db } = await openSite();
  const rows = await db.query(sql`select * from app_registrations`);
  expect(JSON.stringify(rows)).not.toContain('hidden');
  expect(await consumer(db, 'friends')).toEqual(consumerOf('friends'));
  await db.query(sql`
    update app_registrations set consumer_secret =
      (select consumer_secret from app_registrations where id = 'notes') where id = 'friends'`);
  await expect(consumer(db, 'friends')).rejects.toThrow();
});

test('a replacement takes over the id, and removal returns whether there was an app', async () => {
  const { db } = await openSite();
  await registerApp(db, secretKey, registration);
  const { folder: _, ...remote } = registration;
  const other = { ...remote, url: 'https://apps.example/clock', consumerKey: 'ck2' };
  await registerApp(db, secretKey, other, { mode: 'replace' });
  expect((await listApps(db)).find(({ id }) => id === 'clock')?.source).toEqual({
    kind: 'remote',
    url: 'https://apps.example/clock',
  });
  expect((await consumer(db, 'clock'))?.key).toBe('ck2');
  expect([await removeApp(db, 'clock'), await removeApp(db, 'clock')]).toEqual([true, false]);
});

test.each([
  [{ id: '../etc' }, 'The id of an app is 1 to 64 of the characters A-Z a-z 0-9 . _ : -'],
  [{ url: 'https://apps.example/' }, 'An app has either a folder or a URL.'],
  [{ folder: undefined }, 'An app has either a folder or a URL.'],
  [
    { folder: undefined, url: 'javascript:alert(1)' },
    'The URL of an app must be that of its page, such as https://apps.example/friends.html.',
  ],
  [
    { folder: undefined, url: 'https://me:pw@apps.example/' },
    'The URL of an app must be that of its page, such as https://apps.example/friends.html.',
  ],
  [
    { folder: undefined, url: 'https://apps.example/#x' },
    'The URL of an app must be that of its page, such as https://apps.example/friends.html.',
  ],
  [
    { manifest: { name: 'Clock' } },
    'gadget.json: page must be the path of an HTML file in the app\'s folder, such as "index.html".',
  ],
])('%j is refused in words', async (change, message) => {
  const { db } = await openSite();
  const app = JSON.parse(JSON.stringify({ ...registration, ...change })) as AppRegistration;
  await expect(registerApp(db, secretKey, app)).rejects.toThrow(
    expect.objectContaining({ code: 'BAD_REQUEST', message }),
  );
});

test('a changed or removed registration counts from the next call on', async () => {
  const { db } = await openSite();
  const { find } = createCallerLookup({ db, secretKey, versions });
  const clock = gadgetOf('clock');
  const uses = async () => {
    const caller = (await find({ viewer: '7', gadgets: [clock] }))(clock);
    return caller && [caller.access.app.manifest.uses, caller.access.app.trusted, caller.access.granted];
  };
  const { manifest } = registration;
  await registerApp(db, secretKey, registration);
  expect(await uses()).toEqual([[], false, []]);
  const uses2 = ['people.get'];
  const later = { ...registration, manifest: { ...(manifest as object), uses: uses2 } };
  await registerApp(db, secretKey, later, { mode: 'update' });
  expect(await uses()).toEqual([uses2, false, []]);
  await registerApp(db, secretKey, { ...later, trusted: true }, { mode: 'update' });
  expect(await uses()).toEqual([uses2, true, ['people']]);
  await removeApp(db, 'clock');
  expect(await uses()).toBe(undefined);
});
