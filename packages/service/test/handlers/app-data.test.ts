import { describe, expect, test } from 'vitest';
import { installApp, uninstallApp } from '../apps.ts';
import { databases } from '../databases.ts';
import { call } from '../rpc-client.ts';
import { openSite, type Site, village } from '../site.ts';

const data = {
  appData: [
    { appId: 'notes', memberId: '1', data: { color: 'red', size: 'xl' } },
    { appId: 'notes', memberId: '2', data: { color: 'blue' } },
    { appId: 'notes', memberId: '3', data: { color: 'green' } },
    { appId: 'notes', memberId: '4', data: { color: 'black' } },
    { appId: 'notes', memberId: '5', data: { color: 'white' } },
    { appId: 'photos', memberId: '1', data: { other: 'app' } },
  ],
};

const self = '/appData/@me/@self/@app';
const post = (body: unknown, path = self) => ({ method: 'POST', path, body });
const stored = async (site: Site, path = self) => (await site.get(path)).json.entry;

describe.each(databases)('AppData on $name', ({ open }) => {
  const openData = () => openSite(open, { ...village, ...data });

  test('a read is an object by member id (§2 AppData)', async () => {
    const site = await openData();
    expect((await site.get(self)).json).toEqual({ entry: { 1: { color: 'red', size: 'xl' } } });
    expect((await site.get('/appdata/1/@self/notes')).json).toEqual({ entry: { 1: { color: 'red', size: 'xl' } } });
  });

  test('with nothing stored: an empty object for one member, none for friends (contract §3)', async () => {
    const site = await openSite(open, village);
    expect((await site.get(self)).json).toEqual({ entry: { 1: {} } });
    expect((await site.get('/appData/2/@self/@app')).json).toEqual({ entry: { 2: {} } });
    expect((await site.get('/appData/@me/@friends/@app')).json).toEqual({ entry: {} });
  });

  test('fields names keys; * and @all are every key (contract §2)', async () => {
    const site = await openData();
    expect(await stored(site, `${self}?fields=size,none`)).toEqual({ 1: { size: 'xl' } });
    expect(await stored(site, `${self}?fields=size&fields=color`)).toEqual({ 1: { color: 'red', size: 'xl' } });
    expect(await stored(site, `${self}?fields=*`)).toEqual({ 1: { color: 'red', size: 'xl' } });
    expect(await stored(site, `${self}?fields=%40all`)).toEqual({ 1: { color: 'red', size: 'xl' } });
    expect(await stored(site, `${self}?fields=none`)).toEqual({ 1: {} });
    expect(await stored(site, '/appData/@me/@friends/@app?fields=none')).toEqual({});
    expect((await site.get(`${self}?fields=`)).status).toBe(400);
  });

  test('AppData of a friend with the app is readable; else 403, and 404 for the unknown and invisible (§5, contract §6)', async () => {
    const site = await openData();
    expect(await stored(site, '/appData/2/@self/@app')).toEqual({ 2: { color: 'blue' } });
    expect((await site.get('/appData/3/@self/@app')).status).toBe(403); // no friend
    expect((await site.get('/appData/5/@self/@app')).status).toBe(403); // a friend without the app
    expect((await site.get('/appData/4/@self/@app')).status).toBe(404); // blocked Ann
    expect((await site.get('/appData/404/@self/@app')).status).toBe(404);
  });

  test('in a list, unreadable members are left out (contract §1)', async () => {
    const site = await openData();
    expect(await stored(site, '/appData/1,2,3,4,5,404/@self/@app')).toEqual({
      1: { color: 'red', size: 'xl' },
      2: { color: 'blue' },
    });
  });

  test('friends who have the app; of another member, only the viewer and the viewer’s friends (contract §6)', async () => {
    const site = await openData();
    expect(await stored(site, '/appData/@me/@friends/@app')).toEqual({ 2: { color: 'blue' } });
    expect(await stored(site, '/appData/2/@friends/@app')).toEqual({ 1: { color: 'red', size: 'xl' } });
    expect((await site.get('/appData/4/@friends/@app')).status).toBe(404);
    expect(await stored(site, '/appData/1,2/@friends/@app')).toEqual({
      1: { color: 'red', size: 'xl' },
      2: { color: 'blue' },
    });
  });

  test('each key is written, one that exists is overwritten, the answer is {"entry":{}} (§4 AppData, contract §3)', async () => {
    const site = await openData();
    const reply = await site.send(post({ color: 'grey', shape: 'round', empty: '' }));
    expect([reply.status, reply.json]).toEqual([200, { entry: {} }]);
    expect(await stored(site)).toEqual({ 1: { color: 'grey', size: 'xl', shape: 'round', empty: '' } });
  });

  test('PUT is POST (contract §1)', async () => {
    const site = await openData();
    expect((await site.send({ ...post({ color: 'grey' }), method: 'PUT' })).json).toEqual({ entry: {} });
    expect(await stored(site)).toEqual({ 1: { color: 'grey', size: 'xl' } });
  });

  test('{} is accepted and changes nothing (contract §2)', async () => {
    const site = await openData();
    expect((await site.send(post({}))).json).toEqual({ entry: {} });
    expect(await stored(site)).toEqual({ 1: { color: 'red', size: 'xl' } });
  });

  test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', '0', '-1', '.', 'a.b_c-D9', 'k'.repeat(128)])(
    'the key %s is data (contract §4, security rule 19)',
    async (key) => {
      const site = await openSite(open, village);
      expect((await site.send(post(`{${JSON.stringify(key)}:"v"}`))).status).toBe(200);
      const entry = JSON.parse((await site.get(`${self}?fields=${key}`)).text, (name, value) =>
        name === '__proto__' ? `own ${value}` : value,
      );
      expect((await site.get(self)).text).toBe(`{"entry":{"1":{${JSON.stringify(key)}:"v"}}}`);
      expect(Object.keys(entry.entry[1])).toEqual(key === '__proto__' ? ['__proto__'] : [key]);
      expect((await site.send({ method: 'DELETE', path: `${self}?fields=${key}` })).status).toBe(200);
      expect(await stored(site)).toEqual({ 1: {} });
    },
  );

  test.each([
    ['{"a b":"v"}'],
    ['{"":"v"}'],
    [`{"${'k'.repeat(129)}":"v"}`],
    ['{"ä":"v"}'],
    ['{"a/b":"v"}'],
    ['{"a":1}'],
    ['{"a":null}'],
    ['{"a":true}'],
    ['{"a":{}}'],
    ['{"a":["v"]}'],
    ['["a"]'],
    ['"a"'],
    ['null'],
    ['7'],
  ])('%s is refused, and nothing of it is saved (contract §4)', async (body) => {
    const site = await openSite(open, village);
    expect((await site.send(post(body))).status).toBe(400);
    expect((await site.send(post(`{"good":"v",${body.slice(1)}`))).status).toBe(400);
    expect(await stored(site)).toEqual({ 1: {} });
  });

  test('any string is kept as it is: NUL, astral, line separators, markup', async () => {
    const site = await openSite(open, village);
    const value = 'a\u0000b\u2028 😀 <b>&amp;</b> \u202e\uffff';
    await site.send(post({ value }));
    expect(await stored(site)).toEqual({ 1: { value } });
  });

  test('102,400 UTF-8 bytes of keys and values are kept, one more is refused (contract §4)', async () => {
    const site = await openSite(open, village);
    const full = 'é'.repeat((102_400 - 2) / 2);
    expect((await site.send(post({ k1: full }))).status).toBe(200);
    expect((await site.send(post({ k1: `${full}x` }))).status).toBe(400);
    expect((await site.send(post({ k2: '' }))).status).toBe(400);
    expect(await stored(site)).toEqual({ 1: { k1: full } });
  });

  test('the size after the write counts, per member and app (contract §4)', async () => {
    const site = await openSite(open, village);
    const half = 'x'.repeat(60_000);
    expect((await site.send(post({ a: half }))).status).toBe(200);
    expect((await site.send(post({ b: half, c: 'v' }))).status).toBe(400);
    expect(Object.keys((await stored(site)) as object)).toEqual(['1']);
    expect(await stored(site, `${self}?fields=b,c`)).toEqual({ 1: {} }); // all or nothing
    expect((await site.send(post({ a: 'v', b: half }))).status).toBe(200);
    expect((await site.send({ ...post({ a: half }), as: '2' })).status).toBe(200);
    await site.send({ method: 'DELETE', path: `${self}?fields=b` });
    expect((await site.send(post({ c: half }))).status).toBe(200);
  });

  test('parallel writes never pass the limit together (contract §4)', async () => {
    const site = await openSite(open, village);
    const value = 'x'.repeat(30_000);
    const replies = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((key) => site.send(post({ [key]: value }))));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 200, 400, 400]);
    const data = ((await stored(site)) as Record<string, object>)[1];
    expect(Object.keys(data ?? {})).toHaveLength(3);
  });

  test('DELETE with fields deletes those keys, without them all (§4 AppData)', async () => {
    const site = await openData();
    const reply = await site.send({ method: 'DELETE', path: `${self}?fields=size,none` });
    expect([reply.status, reply.json]).toEqual([200, { entry: {} }]);
    expect(await stored(site)).toEqual({ 1: { color: 'red' } });
    expect((await site.send({ method: 'DELETE', path: self })).status).toBe(200);
    expect(await stored(site)).toEqual({ 1: {} });
    expect(await stored(site, '/appData/2/@self/@app')).toEqual({ 2: { color: 'blue' } });
  });

  test.each(['fields=', 'fields=*', 'fields=,', 'fields=@all', 'fields=color,*'])(
    'DELETE with %s is refused, and nothing is lost (contract §2)',
    async (query) => {
      const site = await openData();
      expect((await site.send({ method: 'DELETE', path: `${self}?${query}` })).status).toBe(400);
      expect(await stored(site)).toEqual({ 1: { color: 'red', size: 'xl' } });
    },
  );

  test('a DELETE with a body is refused, and nothing is lost (contract §2)', async () => {
    const site = await openData();
    expect((await site.send({ method: 'DELETE', path: self, body: {} })).status).toBe(400);
    expect(await stored(site)).toEqual({ 1: { color: 'red', size: 'xl' } });
  });

  test('writing and deleting for another member is 403, existing or not (§5, contract §1)', async () => {
    const site = await openData();
    for (const guid of ['2', '404', '@nobody']) {
      expect((await site.send(post({ a: 'v' }, `/appData/${guid}/@self/@app`))).status, guid).toBe(403);
      expect((await site.send({ method: 'DELETE', path: `/appData/${guid}/@self/@app` })).status, guid).toBe(403);
    }
    expect(await stored(site, '/appData/2/@self/@app')).toEqual({ 2: { color: 'blue' } });
  });

  test('AppData is written only through an app that one has, also with a container key (contract §6)', async () => {
    const site = await openData();
    expect((await site.send({ ...post({ a: 'v' }), as: '5' })).status).toBe(403);
    expect((await site.send({ ...post({ a: 'v' }), key: 'photos-container' })).status).toBe(403);
    await installApp(site.db, { appId: 'photos', memberId: '1' });
    expect((await site.send({ ...post({ a: 'v' }), key: 'photos-container' })).status).toBe(200);
    expect(await stored(site)).toEqual({ 1: { color: 'red', size: 'xl' } });
  });

  test("removing an app deletes its AppData for that member only's (contract §6)", async () => {
    const site = await openData();
    await uninstallApp(site.db, { appId: 'notes', memberId: '2' });
    expect((await site.get('/appData/2/@self/@app')).status).toBe(403);
    await installApp(site.db, { appId: 'notes', memberId: '2' });
    expect(await stored(site, '/appData/2/@self/@app')).toEqual({ 2: {} });
    expect(await stored(site)).toEqual({ 1: { color: 'red', size: 'xl' } });
  });

  test('the app of the key is the only one, whether another exists or not (§5, contract §4)', async () => {
    const site = await openData();
    const paths = ['/appData/@me/@self/photos', '/appData/@me/@self/nothing', '/appData/@me/@friends/photos'];
    for (const path of paths) {
      expect((await site.get(path)).status, path).toBe(403);
      expect((await site.send(post({ a: 'v' }, path.replace('@friends', '@self')))).status, path).toBe(403);
    }
    const [other, unknown] = [await site.get(paths[0] ?? ''), await site.get(paths[1] ?? '')];
    expect(other.text).toBe(unknown.text);
  });

  test('a key of no app has no AppData (§5, contract §4)', async () => {
    const site = await openData();
    for (const path of [self, '/appData/1/@self/notes']) {
      expect((await site.get(path, { key: 'member-1' })).status).toBe(403);
      expect((await site.send({ ...post({ a: 'v' }, path), key: 'member-1' })).status).toBe(403);
      expect((await site.send({ method: 'DELETE', path, key: 'member-1' })).status).toBe(403);
    }
  });

  test('AppData of friends comes whole, or by pages of friends who have any, in the order of their ids (contract §3, §8 Bounds)', async () => {
    const friends = Array.from({ length: 130 }, (_, index) => String(990 + index));
    const site = await openSite(open, {
      ...village,
      members: [...village.members, ...friends.map((id) => ({ id, displayName: id }))],
      friendships: friends.map((id) => ['1', id]),
      installs: ['1', ...friends].map((memberId) => ({ appId: 'notes', memberId })),
      appData: friends.flatMap((memberId, index) =>
        index % 2 === 1
          ? []
          : [{ appId: 'notes', memberId, data: { k: memberId, ...(index % 4 === 0 && { q: 'q' }) } }],
      ),
    });
    const path = '/appData/@me/@friends/@app';
    const idsOf = async (query: string) => Object.keys((await stored(site, `${path}${query}`)) as object);
    const having = friends.filter((_, index) => index % 2 === 0);
    expect(await stored(site, `${path}?fields=k`)).toEqual(Object.fromEntries(having.map((id) => [id, { k: id }])));
    expect(await idsOf('?startIndex=0')).toEqual(having);
    expect(await idsOf('?count=0')).toEqual(having);
    expect(await idsOf('?count=3')).toEqual(['990', '992', '994']);
    expect(await idsOf('?count=3&startIndex=4')).toEqual(['998', '1000', '1002']);
    expect(await idsOf('?startIndex=60')).toEqual(having.slice(60));
    expect(await idsOf('?count=3&startIndex=64')).toEqual(having.slice(64));
    expect(await idsOf('?count=3&startIndex=65')).toEqual([]);
    expect(await idsOf('?count=1000')).toEqual(having); // capped at 100
    expect(await idsOf('?count=2&startIndex=1&fields=q')).toEqual(['994', '998']);
    const { data } = await call(site, 'appdata.get', { groupId: '@friends', count: 3, startIndex: '4' });
    expect(Object.keys(data ?? {})).toEqual(['998', '1000', '1002']);
    expect((await site.get(`${path}?count=x`)).status).toBe(400);
    expect(await idsOf('?count=1&format=json')).toEqual(['990']);
    expect(await stored(site, `${self}?count=1&startIndex=1`)).toEqual({ 1: {} }); // one member's AppData has no pages
  });

  test('repeated fields of a DELETE are joined, and "*" among them is refused (contract §2)', async () => {
    const site = await openData();
    expect((await site.send({ method: 'DELETE', path: `${self}?fields=color&fields=*` })).status).toBe(400);
    expect(await stored(site)).toEqual({ 1: { color: 'red', size: 'xl' } });
    expect((await site.send({ method: 'DELETE', path: `${self}?fields=color&fields=size` })).status).toBe(200);
    expect(await stored(site)).toEqual({ 1: {} });
  });
});
