import { writeSetting } from '@gantry/service';
import { describe, expect, test } from 'vitest';
import { activityFields } from '../../src/fields/activity.ts';
import { databases } from '../databases.ts';
import { ids, openSite, type Site, start, village } from '../site.ts';

const at = (time: string) => `2026-05-${time}Z`;

const stream = {
  activities: [
    { id: '8', userId: '2', title: 'old', postedTime: at('01T09:00:00'), appId: 'notes' },
    { id: '9', userId: '2', title: 'same second, lower id', postedTime: at('02T09:00:00.900') },
    { id: '10', userId: '2', title: 'same second, higher id', postedTime: at('02T09:00:00.100') },
    { id: '11', userId: '4', title: 'of Ed', postedTime: at('03T09:00:00') },
    { id: '12', userId: '3', title: 'of Di', postedTime: at('04T09:00:00'), appId: 'photos' },
    { id: '13', userId: '5', title: 'of Fay', postedTime: at('05T09:00:00'), url: '/walks/1' },
  ],
};

async function openStream(open: Parameters<typeof openSite>[0]): Promise<Site> {
  return openSite(open, { ...village, ...stream });
}

const post = (body: unknown, path = '/activities/@me/@self') => ({ method: 'POST', path, body });

describe.each(databases)('activities on $name', ({ open }) => {
  test('a stream is newest first, of one second the higher id first (contract §3)', async () => {
    const site = await openStream(open);
    const reply = await site.get('/activities/2/@self');
    expect(ids(reply)).toEqual(['10', '9', '8']);
    expect(reply.json).toMatchObject({ startIndex: 0, totalResults: 3, itemsPerPage: 20 });
  });

  test('activities of one second are sorted by the length of their ids, then code point (contract §1, §3)', async () => {
    const postedTime = at('06T09:00:00');
    const activities = ['b', 'A', '9', '_', 'a', '10', 'B'].map((id) => ({ id, userId: '3', title: id, postedTime }));
    const site = await openSite(open, { ...village, activities });
    const sorted = ['10', 'b', 'a', '_', 'B', 'A', '9'];
    expect(ids(await site.get('/activities/3/@self'))).toEqual(sorted);
    expect(ids(await site.get('/activities/3,404/@self'))).toEqual(sorted);
    expect(ids(await site.get('/activities/@me/@friends', { as: '2' }))).toEqual(sorted);
  });

  test('an activity is id, userId, title, postedTime, and url when posted with one, absolute (contract §3)', async () => {
    const site = await openStream(open);
    expect((await site.get('/activities/5/@self')).json.entry).toEqual([
      {
        id: '13',
        userId: '5',
        title: 'of Fay',
        postedTime: '2026-05-05T09:00:00+00:00',
        url: 'https://social.example/walks/1',
      },
    ]);
    const [first] = (await site.get('/activities/2/@self')).json.entry as object[];
    expect(first).not.toHaveProperty('url');
  });

  test('postedTime is written in the time zone of the site (contract §3)', async () => {
    const site = await openStream(open);
    await writeSetting(site.db, 'timeZone', 'America/St_Johns');
    const [first] = (await site.get('/activities/5/@self')).json.entry as object[];
    expect(first).toMatchObject({ postedTime: '2026-05-05T06:30:00-02:30' });
  });

  test('friends: each item of the friends of {guid} as the viewer may see it (contract §6)', async () => {
    const site = await openStream(open);
    expect(ids(await site.get('/activities/@me/@friends'))).toEqual(['13', '10', '9', '8']);
    const friendsOfBo = await site.get('/activities/2/@friends');
    expect(ids(friendsOfBo)).toEqual(['12']); // not Ed's, who blocked Ann
    expect(friendsOfBo.json.totalResults).toBe(1);
  });

  test('with @app or the own id, only what the app of the key posted (§4 Activities)', async () => {
    const site = await openStream(open);
    expect(ids(await site.get('/activities/2/@self/@app'))).toEqual(['8']);
    expect(ids(await site.get('/activities/2/@self/notes'))).toEqual(['8']);
    expect(ids(await site.get('/activities/@me/@friends/@app'))).toEqual(['8']);
    expect(ids(await site.get('/activities/2/@friends/@app', { key: 'photos-container' }))).toEqual(['12']);
  });

  test('streams of a list of members (contract §1)', async () => {
    const site = await openStream(open);
    expect(ids(await site.get('/activities/5,404,2,4/@self'))).toEqual(['13', '10', '9', '8']);
    expect(ids(await site.get('/activities/1,2/@friends'))).toEqual(['13', '12', '10', '9', '8']);
    expect(ids(await site.get('/activities/404,@x/@self'))).toEqual([]);
  });

  test('streams are paged (contract §2)', async () => {
    const site = await openStream(open);
    const reply = await site.get('/activities/@me/@friends?startIndex=1&count=2');
    expect(ids(reply)).toEqual(['10', '9']);
    expect(reply.json).toMatchObject({ startIndex: 1, totalResults: 4, itemsPerPage: 2 });
  });

  test('an unknown or invisible member is a 404 (contract §4)', async () => {
    const site = await openStream(open);
    for (const guid of ['404', '4', '@nobody', 'no:such member']) {
      expect((await site.get(`/activities/${encodeURIComponent(guid)}/@self`)).status, guid).toBe(404);
      expect((await site.get(`/activities/${encodeURIComponent(guid)}/@friends`)).status, guid).toBe(404);
    }
  });

  test("an app's activities follow the current setting of their member for that app (contract §6)", async () => {
    const site = await openStream(open);
    const seen = async (as: string) => ids(await site.get('/activities/2/@self/@app', { as }));
    await site.add({ installs: [{ appId: 'notes', memberId: '2', visibility: 'friends' }] });
    expect([await seen('1'), await seen('5'), await seen('2')]).toEqual([['8'], [], ['8']]);
    await site.add({ installs: [{ appId: 'notes', memberId: '2', visibility: 'private' }] });
    expect([await seen('1'), await seen('5'), await seen('2')]).toEqual([[], [], ['8']]);
    expect((await site.get('/activities/@me/@friends')).json.totalResults).toBe(3);
  });

  test("a friends' stream reaches back over the newest 1,000 that the viewer may see (contract §3)", async () => {
    const activities = Array.from({ length: 1_030 }, (_, index) => ({
      id: String(1000 + index),
      userId: index % 2 === 0 ? '2' : '5',
      title: `No. ${index}`,
      postedTime: new Date(start - index * 60_000).toISOString(),
    }));
    const site = await openSite(open, { ...village, activities });
    const first = await site.get('/activities/@me/@friends');
    expect(first.json).toMatchObject({ totalResults: 1000, itemsPerPage: 20 });
    expect(ids(first).slice(0, 2)).toEqual(['1000', '1001']);
    expect(ids(await site.get('/activities/@me/@friends?startIndex=995'))).toEqual([
      '1995',
      '1996',
      '1997',
      '1998',
      '1999',
    ]);
    expect((await site.get('/activities/@me/@friends?startIndex=1000')).json).toMatchObject({
      entry: [],
      totalResults: 1000,
    });
    expect((await site.get('/activities/2,5/@self')).json.totalResults).toBe(1030); // every other total is exact
  });

  test('a post is answered with the activity, and stands first in the stream (contract §3)', async () => {
    const site = await openStream(open);
    const reply = await site.send(
      post({ title: ' Hello, "world" ', id: '1', userId: '2', postedTime: 'x', mood: 'x' }),
    );
    expect(reply.status).toBe(200);
    expect(reply.json.entry).toEqual({
      id: expect.stringMatching(/^1779278400000\d{9}$/),
      userId: '1',
      title: ' Hello, "world" ',
      postedTime: '2026-05-20T12:00:00+00:00',
    });
    expect((await site.get('/activities/@me/@self/@app')).json.entry).toEqual([reply.json.entry]);
  });

  test('a post through a key of no app is in the stream, and in none of an app (§4 Activities)', async () => {
    const site = await openStream(open);
    expect((await site.send({ ...post({ title: 'by hand' }), key: 'member-1' })).status).toBe(200);
    expect((await site.get('/activities/1/@self')).json.totalResults).toBe(1);
    expect((await site.get('/activities/1/@self/@app')).json.totalResults).toBe(0);
  });

  test.each(['/activities/1/@self', '/activities/@me/@self/@app', '/activities/@viewer/@self/notes'])(
    'POST %s is a post, too (contract §1)',
    async (path) => {
      const site = await openStream(open);
      expect((await site.send(post({ title: 'Hello' }, path))).status).toBe(200);
    },
  );

  test.each([
    [{ title: 'x' }, 200],
    [{ title: 'x'.repeat(1000) }, 200],
    [{ title: '😀'.repeat(1000) }, 200],
    [{ title: 'x'.repeat(1001) }, 400],
    [{ title: '😀'.repeat(1001) }, 400],
    [{ title: '' }, 400],
    [{ title: ' \t\n\u00a0\u3000' }, 400],
    [{ title: 7 }, 400],
    [{ title: null }, 400],
    [{}, 400],
    [[], 400],
    ['"text"', 400],
    ['null', 400],
    ['', 400],
    ['{"title":"x"', 400],
  ])('title %j: %i (contract §2)', async (body, status) => {
    const site = await openStream(open);
    expect((await site.send(post(body))).status).toBe(status);
    expect((await site.get('/activities/1/@self')).json.totalResults).toBe(status === 200 ? 1 : 0);
  });

  test.each([
    ['/a/b?c#d', 'https://social.example/a/b?c#d'],
    ['/', 'https://social.example/'],
    ['https://social.example', 'https://social.example'],
    ['https://social.example/x', 'https://social.example/x'],
    ['HTTPS://Social.Example/x', 'HTTPS://Social.Example/x'],
    ['http://social.example/x', 'http://social.example/x'],
    ['https://social.example:443/x', 'https://social.example:443/x'],
  ])('url %s is on the site (contract §4)', async (url, shown) => {
    const site = await openStream(open);
    expect((await site.send(post({ title: 'x', url }))).json.entry).toMatchObject({ url: shown });
  });

  test.each([
    'https://elsewhere.example/x',
    'https://social.example.elsewhere.example/',
    'https://www.social.example/',
    'https://social.example:8443/x',
    'https://user@social.example/x',
    'https://user:pass@social.example/x',
    'https://@social.example/x',
    'https://social.example@elsewhere.example/',
    'ftp://social.example/x',
    'javascript:alert(1)',
    'https:social.example',
    'https:///social.example',
    '//social.example/x',
    '//elsewhere.example/x',
    '/\\elsewhere.example',
    '\\\\elsewhere.example',
    '/\t/elsewhere.example',
    'https://social.example\\@elsewhere.example/',
    'x/y',
    '',
    ' /x',
    7,
    null,
    ['/x'],
  ])('url %j is not, and nothing is saved (contract §4)', async (url) => {
    const site = await openStream(open);
    const reply = await site.send(post({ title: 'x', url }));
    expect(reply.status).toBe(400);
    expect(reply.json.error?.message).toBe(
      'url must be an address on https://social.example, or a path that begins with one "/".',
    );
    expect((await site.get('/activities/1/@self')).json.totalResults).toBe(0);
  });

  test('posting within the minimum interval is a 500 with Retry-After in whole seconds, up (contract §4)', async () => {
    const site = await openStream(open);
    expect((await site.send(post({ title: 'one' }))).status).toBe(200);
    site.nowMs += 4_100;
    const refused = await site.send(post({ title: 'two' }));
    expect(refused.status).toBe(500);
    expect(refused.headers.get('retry-after')).toBe('26');
    expect(refused.json.error).toEqual({ code: 500, message: 'Only one activity may be posted every 30 seconds.' });
  });

  test('exactly the interval later is allowed, and refused posts do not count (contract §4)', async () => {
    const site = await openStream(open);
    await site.send(post({ title: 'one' }));
    site.nowMs = start + 29_999;
    expect((await site.send(post({ title: 'two' }))).status).toBe(500);
    site.nowMs = start + 30_000;
    expect((await site.send(post({ title: 'three' }))).status).toBe(200);
    expect((await site.get('/activities/1/@self')).json.totalResults).toBe(2);
  });

  test('the interval counts per app and member, or per consumer and member for a key of no app (contract §4)', async () => {
    const site = await openStream(open);
    const status = async (as: string, key: string) => (await site.send({ ...post({ title: 'x' }), as, key })).status;
    expect(await status('1', 'notes-container')).toBe(200);
    expect(await status('1', 'notes-app')).toBe(500); // another key of the same app
    expect(await status('2', 'notes-container')).toBe(200);
    expect(await status('1', 'photos-container')).toBe(200);
    expect(await status('1', 'member-1')).toBe(200);
    expect(await status('1', 'admin-any')).toBe(200);
    expect(await status('1', 'member-1')).toBe(500);
  });

  test("an administrator's change of the interval takes effect at once, and 0 switches it off (contract §4)", async () => {
    const site = await openStream(open);
    await site.send(post({ title: 'one' }));
    site.nowMs += 10_000;
    expect((await site.send(post({ title: 'two' }))).status).toBe(500);
    await writeSetting(site.db, 'minimumInterval', '10');
    expect((await site.send(post({ title: 'two' }))).status).toBe(200);
    await writeSetting(site.db, 'minimumInterval', '0');
    expect((await site.send(post({ title: 'three' }))).status).toBe(200);
    expect((await site.send(post({ title: 'four' }))).status).toBe(200);
    await writeSetting(site.db, 'minimumInterval', '86400');
    expect((await site.send(post({ title: 'five' }))).headers.get('retry-after')).toBe('86400');
  });

  test('one of several posts in parallel is stored (contract §4)', async () => {
    const site = await openStream(open);
    const replies = await Promise.all(Array.from({ length: 20 }, (_, n) => site.send(post({ title: `no. ${n}` }))));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 500)).toHaveLength(19);
    expect((await site.get('/activities/1/@self')).json.totalResults).toBe(1);
  });

  test('a post that is refused for its text does not start the interval (contract §4)', async () => {
    const site = await openStream(open);
    expect((await site.send(post({ title: '' }))).status).toBe(400);
    expect((await site.send(post({ title: 'x' }))).status).toBe(200);
  });
});

test.each([
  ['http://localhost:4400', 'http://localhost:4400/x', true],
  ['http://localhost:4400', 'http://LOCALHOST/x', true],
  ['http://localhost:4400', 'https://localhost/x', true],
  ['http://localhost:4400', 'http://localhost:4401/x', false],
  ['http://localhost:4400', 'http://127.0.0.1:4400/x', false],
  ['https://xn--bcher-kva.example', 'https://bücher.example/x', true],
  ['https://xn--bcher-kva.example', 'https://BÜCHER.example/x', true],
  ['https://xn--bcher-kva.example', 'https://xn--bcher-kva.example/x', true],
  ['https://xn--bcher-kva.example', 'https://bucher.example/x', false],
])('on the site %s, that an activity may lead to %s is %s (contract §4)', (site, url, may) => {
  const read = () => activityFields({ title: 'x', url }, site);
  if (may) expect(read()).toEqual({ title: 'x', url });
  else expect(read).toThrow(`url must be an address on ${site}, or a path that begins with one "/".`);
});
