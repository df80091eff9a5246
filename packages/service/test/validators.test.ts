import { installApp, uninstallApp, writeSetting } from '@gantry/service';
import { describe, expect, test } from 'vitest';
import { databases } from './databases.ts';
import { openSite, type Site, village } from './site.ts';

const reads = [
  '/people/@me/@self',
  '/people/2/@self?fields=@all',
  '/people/@me/@friends',
  '/people/2/@friends',
  '/people/2/@all/3',
  '/people/1,2,3/@self',
  '/activities/@me/@self',
  '/activities/2/@self',
  '/activities/@me/@friends',
  '/appData/@me/@self/@app',
  '/appData/2/@self/@app',
  '/appData/@me/@friends/@app',
  '/albums/@me/@self',
  '/albums/2/@self',
  '/albums/@me/@friends',
  '/mediaitems/2/@self/a2',
];

const world = {
  ...village,
  albums: [
    { id: 'a1', ownerId: '1', title: 'Mine' },
    { id: 'a2', ownerId: '2', title: 'Theirs' },
  ],
};

/** What members and administrators can do to a site, each of which changes some answers. */
const changes: readonly (readonly [name: string, change: (site: Site) => Promise<unknown>])[] = [
  ['nothing', async () => undefined],
  ['a post', (site) => site.send({ method: 'POST', path: '/activities/@me/@self', body: { title: 'new' } })],
  ['AppData', (site) => site.send({ method: 'POST', path: '/appData/@me/@self/@app', body: { k: 'new' } })],
  [
    'AppData of a friend',
    (site) => site.send({ method: 'POST', as: '2', path: '/appData/@me/@self/@app', body: { k: 'b' } }),
  ],
  ['deleted AppData', (site) => site.send({ method: 'DELETE', path: '/appData/@me/@self/@app' })],
  ['a removed app', (site) => uninstallApp(site.db, { appId: 'notes', memberId: '2' })],
  ['a new app', (site) => installApp(site.db, { appId: 'photos', memberId: '2', visibility: 'private' })],
  ['a name', (site) => site.add({ members: [{ id: '2', displayName: 'Renamed' }] })],
  ['a block', (site) => site.add({ blocks: [['2', '1']] })],
  ['a friendship', (site) => site.add({ friendships: [['1', '5']] })],
  ['the time zone', (site) => writeSetting(site.db, 'timeZone', 'Asia/Tokyo')],
  ['the page size', (site) => writeSetting(site.db, 'pageSize', '1')],
];

describe.each(databases)('validators on $name', ({ open }) => {
  test.each(changes)('after %s, what has another text has another validator (contract §3)', async (name, change) => {
    const site = await openSite(open, world);
    const before = await Promise.all(reads.map((path) => site.get(path)));
    await change(site);
    const again = await Promise.all(
      reads.map((path, index) =>
        site.get(path, { headers: { 'if-none-match': before[index]?.headers.get('etag') ?? '""' } }),
      ),
    );
    const fresh = await Promise.all(reads.map((path) => site.get(path)));
    for (const [index, path] of reads.entries()) {
      const isSame = fresh[index]?.text === before[index]?.text && fresh[index]?.status === before[index]?.status;
      const status = again[index]?.status;
      if (!isSame) expect(status, `${path} after ${name}`).toBe(fresh[index]?.status);
      else if (name === 'nothing' && status !== 403) expect(status, path).toBe(304); // the control
    }
  });

  test('an age has another validator on the birthday, without any change in the database (contract §3)', async () => {
    const site = await openSite(open, world);
    const path = '/people/@me/@self?fields=age';
    const today = await site.get(path);
    site.nowMs += 24 * 3600 * 1000;
    const tomorrow = await site.get(path, { headers: { 'if-none-match': today.headers.get('etag') ?? '' } });
    expect([today.json.entry, tomorrow.json.entry]).toMatchObject([{ age: 35 }, { age: 36 }]);
  });

  test('a write of one member leaves the validators of others alone', async () => {
    const site = await openSite(open, world);
    const etag = async () => (await site.get('/people/@me/@friends')).headers.get('etag');
    const before = await etag();
    await site.send({ method: 'POST', as: '3', path: '/activities/@me/@self', body: { title: 'x' } });
    await site.send({ method: 'POST', as: '2', path: '/appData/@me/@self/@app', body: { k: 'v' } });
    expect(await etag()).toBe(before);
  });

  test('a validator of another site does not open this one: 404 stays 404 (contract §3)', async () => {
    const site = await openSite(open, world);
    const known = (await site.get('/people/5/@self')).headers.get('etag') ?? '';
    await site.add({ blocks: [['5', '1']] });
    const other = await openSite(open, { ...world, blocks: [['5', '1']] });
    for (const one of [site, other]) {
      expect((await one.get('/people/5/@self', { headers: { 'if-none-match': known } })).status).toBe(404);
    }
  });
});
