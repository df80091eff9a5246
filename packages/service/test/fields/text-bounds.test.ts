import { type Database, sql } from '@gantry/store';
import { describe, expect, test } from 'vitest';
import { exported, fileDatabases, imported } from '../exported-files.ts';
import { call } from '../rpc-client.ts';
import { items, openSite, village } from '../site.ts';

const longest = `/${'😀'.repeat(1_999)}`;
const tooLong = `${longest}x`;
const posted = '2026-05-01T09:00:00Z';
const recordsOf = (url: string) => ({ activities: [{ id: '900', userId: '1', title: 't', postedTime: posted, url }] });

/** Stores a URL as a version without the bound did. */
async function storeUrl(db: Database, id: string, url: string): Promise<void> {
  await db.query(sql`
    insert into activity (id, member_id, app_id, title, url, posted_at_s) values (${id}, '1', null, 't', ${url}, 1)`);
}

describe.each(fileDatabases)('the longest texts on $name', ({ open }) => {
  const xml = { 'content-type': 'application/xml' };
  const atom = { 'content-type': 'application/atom+xml' };
  const bodies = (url: string): readonly { readonly body: unknown; readonly headers?: Record<string, string> }[] => [
    { body: { title: 't', url } },
    { body: `<activity><title>t</title><url>${url}</url></activity>`, headers: xml },
    {
      body: `<entry><title>t</title><content><activity><url>${url}</url></activity></content></entry>`,
      headers: atom,
    },
  ];

  test('an activity takes a url of 2,000 characters and no more, in each format and dialect (contract §8 Bounds)', async () => {
    const site = await openSite(open, { ...village, site: { name: 'V', settings: { minimumInterval: 0 } } });
    for (const [url, status] of [[longest, 200] as const, [tooLong, 400] as const]) {
      for (const post of bodies(url)) {
        const reply = await site.send({ method: 'POST', path: '/activities/@me/@self', ...post });
        expect([reply.status, status === 400 && reply.json.error?.message]).toEqual([
          status,
          status === 400 && 'url must have at most 2,000 characters.',
        ]);
      }
    }
    expect((await call(site, 'activities.create', { activity: { title: 't', url: longest } })).error).toBeUndefined();
    expect((await call(site, 'activities.create', { activity: { title: 't', url: tooLong } })).error?.code).toBe(400);
  });

  test('world files and lines of records take as much (contract §8 Bounds)', async () => {
    const site = await openSite(open, village);
    await site.add(recordsOf(longest));
    await expect(site.add(recordsOf(tooLong))).rejects.toThrow('activities[0].url must have at most 2,000 characters.');
    const line = { kind: 'activity', id: '901', userId: '1', title: 't', postedTime: posted, url: tooLong };
    await expect(imported(site, JSON.stringify(line))).rejects.toThrow(
      'activity.url must have at most 2,000 characters.',
    );
  });

  test('a stored url that is longer is read as absent, and leaves the database nowhere (contract §8 Bounds, security rule 25)', async () => {
    const site = await openSite(open, village);
    await storeUrl(site.db, '7', longest);
    await storeUrl(site.db, '8', tooLong);
    await storeUrl(site.db, '9', `/${'x'.repeat(1_000_000)}`);
    const activities = items(await site.get('/activities/@me/@self'));
    expect(activities.map(({ id, url }) => [id, typeof url])).toEqual([
      ['9', 'undefined'],
      ['8', 'undefined'],
      ['7', 'string'],
    ]);
    expect(items(await site.get('/activities/1,2/@self'))).toEqual(activities);
    expect(items(await site.get('/activities/@me/@friends', { as: '2' }))).toMatchObject(activities);
    const text = await exported(site.db);
    expect(text.length).toBeLessThan(10_000);
    const copy = await openSite(open, {});
    await imported(copy, text);
    expect(await copy.db.query(sql`select id from activity where url is null order by id`)).toMatchObject([
      { id: '8' },
      { id: '9' },
    ]);
  });

  test('profiles and albums stored with longer texts are read up to a bound, NUL and all (security rule 25)', async () => {
    const site = await openSite(open, { ...village, site: { name: 'V', settings: { albums: true } } });
    await site.add({ albums: [{ id: 'a', ownerId: '1', title: 'a\0b', description: 'd' }] });
    const long = 'é'.repeat(1_000_000);
    await site.db.query(sql`update member set about_me = ${long}`);
    await site.db.query(sql`update album set description = ${long}, thumbnail_url = ${`/${long}`}`);
    const { entry } = (await site.get('/people/@me/@self?fields=aboutMe')).json;
    expect(entry).toMatchObject({ displayName: 'Ann', aboutMe: 'é'.repeat(10_000) });
    const [album] = items(await site.get('/albums/@me/@self'));
    expect(album).toMatchObject({ title: 'a\0b', description: 'é'.repeat(10_000), thumbnailUrl: '' });
  });

  test.each([
    ['members', { id: '77', displayName: 'x'.repeat(4_001) }, 'members[0].displayName must have at most 4,000 bytes.'],
    [
      'members',
      { id: '77', displayName: 'x', aboutMe: 'é'.repeat(20_001) },
      'members[0].aboutMe must have at most 40,000 bytes.',
    ],
    ['albums', { id: 'a', ownerId: '1', title: 'x'.repeat(4_001) }, 'albums[0].title must have at most 4,000 bytes.'],
    [
      'members',
      { id: '77', displayName: 'x', thumbnailUrl: `/${'x'.repeat(2_000)}` },
      'members[0].thumbnailUrl must have at most 2,000 characters.',
    ],
  ])('a record of %s with more is refused (security rule 25)', async (list, record, message) => {
    const site = await openSite(open, village);
    await expect(site.add({ [list]: [record] })).rejects.toThrow(message);
  });
});
