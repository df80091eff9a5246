import { writeSetting } from '@gantry/service';
import { describe, expect, test } from 'vitest';
import { databases } from '../databases.ts';
import { ids, items, openSite, village } from '../site.ts';

describe.each(databases)('people on $name', ({ open }) => {
  test('a member is their seven fixed fields (§2 Person)', async () => {
    const site = await openSite(open, village);
    const { status, json } = await site.get('/people/@me/@self');
    expect(status).toBe(200);
    expect(json).toEqual({
      entry: {
        id: '1',
        isOwner: true,
        isViewer: true,
        hasApp: true,
        displayName: 'Ann',
        thumbnailUrl: 'https://social.example/faces/1.svg',
        profileUrl: 'https://social.example/members/1',
      },
    });
  });

  test('another member is neither viewer nor owner, and without a picture the URL is empty (contract §1, §3)', async () => {
    const site = await openSite(open, village);
    expect((await site.get('/people/10/@self')).json).toEqual({
      entry: {
        id: '10',
        isOwner: false,
        isViewer: false,
        hasApp: false,
        displayName: 'Cy',
        thumbnailUrl: '',
        profileUrl: 'https://social.example/members/10',
      },
    });
  });

  test.each(['@me', '1', '@viewer', '@owner'])('%s is the requester (contract §1)', async (guid) => {
    const site = await openSite(open, village);
    expect((await site.get(`/people/${guid}/@self`)).json.entry).toMatchObject({ id: '1', isViewer: true });
  });

  test('friends come in the order of their ids, by length first, with all four members (contract §1, §3)', async () => {
    const site = await openSite(open, village);
    const reply = await site.get('/people/@me/@friends');
    expect(ids(reply)).toEqual(['2', '5', '10']);
    expect(reply.json).toMatchObject({ startIndex: 0, totalResults: 3, itemsPerPage: 20 });
    expect(Object.keys(reply.json)).toEqual(['entry', 'startIndex', 'totalResults', 'itemsPerPage']);
  });

  test('a list that comes down to one invisible member is empty (contract §1, §6)', async () => {
    const activities = ['2', '4'].map((id) => ({ id, userId: id, title: 't', postedTime: '2026-05-01T09:00:00Z' }));
    const albums = [{ id: 'a', ownerId: '2', title: 'A' }];
    const site = await openSite(open, { ...village, activities, albums });
    for (const list of ['@nobody,4', '4,4', '4,']) {
      for (const path of [
        '/people/$/@friends',
        '/activities/$/@friends',
        '/activities/$/@self',
        '/albums/$/@friends',
      ]) {
        const { status, json } = await site.get(path.replace('$', list));
        expect([status, json.entry, json.totalResults], `${path} ${list}`).toEqual([200, [], 0]);
      }
      expect((await site.get(`/appData/${list}/@friends/@app`)).json).toEqual({ entry: {} });
    }
    // Positive control: a list with a member whom the viewer sees.
    expect(ids(await site.get('/people/@nobody,2/@friends'))).toEqual(['1', '3']);
    expect(ids(await site.get('/activities/2,2/@self'))).toEqual(['2']);
  });

  test('a page beyond the end is empty and knows the true total (contract §2)', async () => {
    const site = await openSite(open, village);
    expect((await site.get('/people/@me/@friends?startIndex=9')).json).toEqual({
      entry: [],
      startIndex: 9,
      totalResults: 3,
      itemsPerPage: 20,
    });
  });

  test('a page in the middle has its items and the true total (contract §2)', async () => {
    const site = await openSite(open, village);
    const reply = await site.get('/people/@me/@friends?startIndex=1&count=1');
    expect(ids(reply)).toEqual(['5']);
    expect(reply.json).toMatchObject({ startIndex: 1, totalResults: 3, itemsPerPage: 1 });
  });

  test('fields names optional fields; unknown names are ignored (contract §2)', async () => {
    const site = await openSite(open, village);
    const { json } = await site.get('/people/@me/@self?fields=aboutMe,gender,shoeSize,name');
    expect(json.entry).toMatchObject({ aboutMe: 'Counts things.', gender: 'female' });
    expect(Object.keys(json.entry as object)).toHaveLength(9);
  });

  test('fields=@all names all six, in the formats of §2 (contract §2, §3)', async () => {
    const site = await openSite(open, village);
    expect((await site.get('/people/@me/@self?fields=@all')).json.entry).toMatchObject({
      aboutMe: 'Counts things.',
      addresses: [{ region: 'Kent', formatted: 'Kent' }],
      age: 35,
      birthday: '1990/05/21',
      languagesSpoken: 'en',
      gender: 'female',
    });
  });

  test('repeated fields are joined (contract §2)', async () => {
    const site = await openSite(open, village);
    const { json } = await site.get('/people/@me/@self?fields=aboutMe&fields=gender');
    expect(json.entry).toMatchObject({ aboutMe: 'Counts things.', gender: 'female' });
  });

  test('a requested field that is unset is present and empty (contract §3)', async () => {
    const site = await openSite(open, village);
    expect((await site.get('/people/10/@self?fields=@all')).json.entry).toMatchObject({
      aboutMe: '',
      addresses: [],
      age: '',
      birthday: '',
      languagesSpoken: '',
      gender: '',
    });
  });

  test('a private age hides the year of the birthday, a private gender is empty (contract §6)', async () => {
    const site = await openSite(open, village);
    expect((await site.get('/people/2/@self?fields=@all')).json.entry).toMatchObject({
      aboutMe: 'Only for friends.',
      age: '',
      birthday: '0000/02/29',
      gender: '',
    });
  });

  test('a stranger does not see what is for friends, the member does (contract §6)', async () => {
    const site = await openSite(open, village);
    const asStranger = await site.get('/people/2/@self?fields=aboutMe', { as: '5' });
    expect(asStranger.json.entry).toMatchObject({ aboutMe: '' });
    const asSelf = await site.get('/people/2/@self?fields=@all', { as: '2' });
    expect(asSelf.json.entry).toMatchObject({ age: 46, birthday: '1980/02/29', gender: 'male' });
  });

  test('age is counted on the date of the time zone of the site (contract §3)', async () => {
    const site = await openSite(open, village);
    site.nowMs = Date.parse('2026-05-20T15:00:00Z'); // Ann's birthday, the 21st, has begun in Tokyo
    const age = async () => (await site.get('/people/@me/@self?fields=age')).json.entry;
    expect(await age()).toMatchObject({ age: 35 });
    await writeSetting(site.db, 'timeZone', 'Asia/Tokyo');
    expect(await age()).toMatchObject({ age: 36 });
  });

  test('someone born on 29 February is a year older on 1 March (contract §3)', async () => {
    const site = await openSite(open, village);
    const age = async () => (await site.get('/people/2/@self?fields=age', { as: '2' })).json.entry;
    site.nowMs = Date.parse('2026-02-28T23:59:59Z');
    expect(await age()).toMatchObject({ age: 45 });
    site.nowMs = Date.parse('2026-03-01T00:00:00Z');
    expect(await age()).toMatchObject({ age: 46 });
  });

  test('a member who blocked the viewer is unknown to the viewer, in lists and totals too (contract §6)', async () => {
    const site = await openSite(open, village);
    expect((await site.get('/people/4/@self')).text).toBe((await site.get('/people/404/@self')).text);
    expect((await site.get('/people/4/@friends')).status).toBe(404);
    const friendsOfBo = await site.get('/people/2/@friends');
    expect(ids(friendsOfBo)).toEqual(['1', '3']);
    expect(friendsOfBo.json.totalResults).toBe(2);
    expect(ids(await site.get('/people/1,4,3/@self'))).toEqual(['1', '3']);
  });

  test('the blocked member stays visible to the one who blocked (contract §6)', async () => {
    const site = await openSite(open, village);
    expect((await site.get('/people/1/@self', { as: '4' })).status).toBe(200);
    expect(ids(await site.get('/people/2/@friends', { as: '4' }))).toEqual(['1', '3', '4']);
  });

  test('@all/{pid} shows what both members may see (contract §6)', async () => {
    const site = await openSite(open, village);
    const about = async (path: string) => (await site.get(`${path}?fields=aboutMe`)).json.entry;
    expect(await about('/people/@me/@all/2')).toMatchObject({ id: '2', aboutMe: 'Only for friends.' });
    expect(await about('/people/10/@all/2')).toMatchObject({ id: '2', aboutMe: '' }); // Cy is no friend of Bo's
    expect(await about('/people/3/@all/2')).toMatchObject({ aboutMe: 'Only for friends.' });
    expect((await site.get('/people/2/@all/3?fields=birthday')).json.entry).toMatchObject({ birthday: '' }); // Ann is no friend of Di's
  });

  test('@all/{pid} is 404 when either is unknown or invisible to the viewer, or the second to the first (contract §6)', async () => {
    const site = await openSite(open, village);
    for (const path of ['/people/4/@all/2', '/people/2/@all/4', '/people/404/@all/2', '/people/2/@all/404']) {
      expect((await site.get(path)).status, path).toBe(404);
    }
    expect((await site.get('/people/1/@all/4', { as: '3' })).status).toBe(404); // Ed blocked Ann
    expect((await site.get('/people/2/@all/4', { as: '3' })).status).toBe(200);
  });

  test('a list of ids: each once, in the order asked, unknown ones left out and not counted (contract §1)', async () => {
    const site = await openSite(open, village);
    const reply = await site.get('/people/10,404,@me,2,10,1/@self');
    expect(ids(reply)).toEqual(['10', '1', '2']);
    expect(reply.json).toMatchObject({ startIndex: 0, totalResults: 3, itemsPerPage: 20 });
    expect(ids(await site.get('/people/10%2C2/@self'))).toEqual(['10', '2']);
    expect(ids(await site.get('/people/404,@nobody/@self'))).toEqual([]);
  });

  test('a list of 100 ids is read, one more is refused (contract §1)', async () => {
    const site = await openSite(open, village);
    const hundred = Array.from({ length: 100 }, (_, index) => index + 1).join(',');
    expect(ids(await site.get(`/people/${hundred}/@self`))).toEqual(
      ['1', '2', '3', '4', '5', '10'].filter((id) => id !== '4'),
    );
    expect((await site.get(`/people/${hundred},101/@self`)).status).toBe(400);
  });

  test('the friends of a list are those of any of its members, each once (contract §1)', async () => {
    const site = await openSite(open, village);
    const reply = await site.get('/people/1,2,4,404/@friends');
    expect(ids(reply)).toEqual(['1', '2', '3', '5', '10']);
    expect(reply.json.totalResults).toBe(5);
    expect(ids(await site.get('/people/404,@nobody/@friends'))).toEqual([]);
  });

  test('filterBy=hasApp keeps friends who have the app of the request, and counts after it (contract §2)', async () => {
    const site = await openSite(open, village);
    const reply = await site.get('/people/@me/@friends?filterBy=hasApp');
    expect(ids(reply)).toEqual(['2']);
    expect(reply.json.totalResults).toBe(1);
    expect(ids(await site.get('/people/@me/@friends?filterBy=hasApp', { key: 'photos-container' }))).toEqual([]);
  });

  test('without an app context hasApp is false, and filterBy=hasApp gives no member (contract §2, §3)', async () => {
    const site = await openSite(open, village);
    expect((await site.get('/people/@me/@self', { key: 'member-1' })).json.entry).toMatchObject({ hasApp: false });
    expect((await site.get('/people/@me/@friends?filterBy=hasApp', { key: 'member-1' })).json.totalResults).toBe(0);
  });

  test('version 0.9.3 says @friend and leaves out hasApp (contract §7)', async () => {
    const site = await openSite(open, village);
    await writeSetting(site.db, 'apiVersion', '0.9.3');
    const reply = await site.get('/people/@me/@friend');
    expect(ids(reply)).toEqual(['2', '5', '10']);
    expect(items(reply)[0]).not.toHaveProperty('hasApp');
    expect((await site.get('/people/@me/@friends')).status).toBe(404);
    expect((await site.get('/activities/@me/@friend')).status).toBe(200);
    expect((await site.get('/appData/@me/@friend/@app')).status).toBe(200);
    expect((await site.get('/albums/@me/@friends')).status).toBe(200); // only people, activities and AppData are renamed
  });

  test('ids of any permitted characters are members, in the order of length, then code point (contract §1)', async () => {
    const long = `${'x'.repeat(60)}.:_-`;
    const unsorted = ['b', '_', 'B', 'a', long, ':', '-', 'A', 'aa', 'Zz', '9', '12', '..a'];
    const site = await openSite(open, {
      ...village,
      members: [...village.members, ...unsorted.map((id) => ({ id, displayName: 'x' }))],
      friendships: [...village.friendships, ...unsorted.map((id) => ['3', id])],
    });
    const sorted = ['-', '2', '9', ':', 'A', 'B', '_', 'a', 'b', '12', 'Zz', 'aa', '..a', long];
    expect(ids(await site.get('/people/3/@friends'))).toEqual(sorted);
    expect(ids(await site.get('/people/3,404/@friends'))).toEqual(sorted);
    for (const id of unsorted) {
      expect((await site.get(`/people/${id}/@self`)).json.entry, id).toMatchObject({ id });
    }
    for (const id of [`${long}x`, 'a b', 'ä', 'a%00', 'a*']) {
      const reply = await site.get(`/people/${encodeURIComponent(id)}/@self`);
      expect([reply.status, reply.text], id).toEqual([404, (await site.get('/people/404/@self')).text]);
    }
  });
});
