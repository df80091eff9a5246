import { writeSetting } from '@gantry/service';
import { describe, expect, test } from 'vitest';
import { databases } from '../databases.ts';
import { ids, openSite, village } from '../site.ts';

const self = '/people/@me/@self';
const friends = '/people/@me/@friends';
const appData = '/appData/@me/@self/@app';

describe.each(databases)('requests on $name', ({ open }) => {
  test.each(['/PEOPLE/@me/@self', '/people/@me/@self/', '/peo%70le/%40me/@self', '/People/1/@self'])(
    'the path %s is that of a member (contract §1)',
    async (path) => {
      const site = await openSite(open, village);
      expect((await site.get(path)).status).toBe(200);
    },
  );

  test.each([
    '/people//@self',
    '//people/@me/@self',
    '/people/@me/@self//',
    '/people/@me',
    '/people',
    '/',
    '',
    '/x/y/z',
  ])('the path %s is unknown (contract §1)', async (path) => {
    const site = await openSite(open, village);
    expect((await site.get(path)).status).toBe(404);
  });

  test('paths outside the root are 404', async () => {
    const site = await openSite(open, village);
    for (const target of ['/', '/social/rest', '/social/restx/people/@me/@self', '/SOCIAL/rest/people/@me/@self']) {
      expect((await site.get(self, { target })).status, target).toBe(404);
    }
  });

  test.each([
    '/people/a%2Fb/@self',
    '/people/%00/@self',
    '/people/%2E%2e/@self',
    '/people/%ff/@self',
    '/people/%zz/@self',
    '/people/%/@self',
  ])('the path %s cannot be: 400 (contract §1)', async (path) => {
    const site = await openSite(open, village);
    expect((await site.get(self, { target: `/social/rest${path}`, signed: false })).status).toBe(400);
  });

  test.each([
    ['', 20],
    ['?count=1', 1],
    ['?count=100', 100],
    ['?count=101', 100],
    ['?count=999999999999999', 100],
    ['?count=0', 20],
    ['?count=-5', 20],
  ])('count as in "%s" gives pages of %i (contract §2)', async (query, size) => {
    const site = await openSite(open, village);
    expect((await site.get(friends + query)).json.itemsPerPage).toBe(size);
  });

  test('the page size of the site applies where a request does not say, at once (§8, contract §2)', async () => {
    const site = await openSite(open, village);
    await writeSetting(site.db, 'pageSize', '2');
    const reply = await site.get(friends);
    expect(ids(reply)).toEqual(['2', '5']);
    expect(reply.json).toMatchObject({ totalResults: 3, itemsPerPage: 2 });
    expect((await site.get(`${friends}?count=3`)).json.itemsPerPage).toBe(3);
  });

  test.each([
    ['startIndex=-3', 0],
    ['startIndex=-999999999999999', 0],
    ['startIndex=0', 0],
    ['startIndex=2', 2],
    ['startIndex=999999999999999', 999_999_999_999_999],
  ])('%s begins at %i (contract §2)', async (query, startIndex) => {
    const site = await openSite(open, village);
    expect((await site.get(`${friends}?${query}`)).json).toMatchObject({ startIndex, totalResults: 3 });
  });

  test.each([
    'count=',
    'count=x',
    'count=1.5',
    'count=+1',
    'count=%201',
    'count=1e2',
    'count=0x1',
    'count=1234567890123456',
    'count=--1',
    'count=1&count=1',
    'startIndex=',
    'startIndex=1.0',
    'startIndex=1&startIndex=2',
    'format=',
    'format=csv',
    'format=json&format=json',
    'filterBy=hasApp&filterBy=hasApp',
  ])('%s is 400, answered in JSON (contract §2)', async (query) => {
    const site = await openSite(open, village);
    for (const path of [friends, self]) {
      const reply = await site.get(`${path}?${query}`);
      expect(reply.status).toBe(400);
      expect(reply.json.error?.code).toBe(400);
    }
  });

  test.each([
    ['', 'application/json'],
    ['?format=JSON', 'application/json'],
    ['?format=Xml', 'application/xml'],
    ['?format=ATOM', 'application/atom+xml'],
  ])('"%s" is answered as %s, whatever Accept says (contract §2, §3)', async (query, type) => {
    const site = await openSite(open, village);
    const reply = await site.get(self + query, { headers: { accept: 'text/html, application/xml;q=0.9' } });
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, `${type}; charset=utf-8`]);
  });

  test('every other query parameter is ignored, twice too (contract §2)', async () => {
    const site = await openSite(open, village);
    const query =
      'keys=a&keys=b&userId=2&groupId=x&appId=photos&opensocial_viewer_id=2&__proto__=x&a=b=c&st=token&st=x&%F0%9F%98%80';
    expect((await site.get(`${self}?${query}`)).json.entry).toMatchObject({ id: '1' });
    expect((await site.get(`${self}?fields=`)).status).toBe(200);
  });

  test.each([
    ['application/json', 200],
    ['application/json; charset=utf-8', 200],
    ['Application/JSON;charset="UTF-8"', 200],
    ['application/json; charset=utf8', 200],
    ['application/json; charset=iso-8859-1', 415],
    ['text/plain', 415],
    ['application/jsonp', 415],
    ['application/json-rpc', 415],
    ['', 415],
  ])('a body of the type "%s": %i (contract §2)', async (type, status) => {
    const site = await openSite(open, village);
    const post = { method: 'POST', path: appData, body: '{"a":"v"}' };
    expect((await site.send({ ...post, headers: { 'content-type': type } })).status).toBe(status);
  });

  test('a form body is signed, and is no AppData: 415 (contract §2, §5)', async () => {
    const site = await openSite(open, village);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const post = { method: 'POST', path: appData, headers };
    expect((await site.send({ ...post, body: '&' })).status).toBe(415); // without a pair, the signature holds
    expect((await site.send({ ...post, body: 'a=b' })).status).toBe(401);
  });

  test.each([
    ['identity', 200],
    ['Identity', 200],
    ['gzip', 415],
    ['br', 415],
  ])('Content-Encoding %s: %i (contract §2)', async (encoding, status) => {
    const site = await openSite(open, village);
    const post = { method: 'POST', path: appData, body: '{"a":"v"}', headers: { 'content-encoding': encoding } };
    expect((await site.send(post)).status).toBe(status);
  });

  test('Content-Type without a body is ignored (contract §2)', async () => {
    const site = await openSite(open, village);
    expect((await site.get(self, { headers: { 'content-type': 'application/json' } })).status).toBe(200);
    const headers = { 'content-type': 'text/plain' };
    expect((await site.send({ method: 'DELETE', path: appData, headers })).status).toBe(200);
    expect((await site.send({ method: 'POST', path: appData, headers })).status).toBe(400); // a missing body is an empty one
  });

  test.each([
    [''],
    [' '],
    ['{'],
    ['{"a":"v"'],
    ['{"a":"v"}}'],
    ["{'a':'v'}"],
    ['{"a":"v",}'],
    ['{"a":"v","a":"w"}'],
    ['{"a":"\\ud800"}'],
    ['{"a":"\n"}'],
    ['\ufeff{"a":"v"}x'],
    ['a=v'],
    [`${'['.repeat(100_000)}${']'.repeat(100_000)}`],
  ])('the body %j is 400, and nothing is saved (contract §2)', async (body) => {
    const site = await openSite(open, village);
    for (const method of ['POST', 'PUT']) expect((await site.send({ method, path: appData, body })).status).toBe(400);
    expect((await site.get(appData)).json).toEqual({ entry: { 1: {} } });
  });

  test('invalid UTF-8 is 400 (contract §2)', async () => {
    const site = await openSite(open, village);
    const body = new Uint8Array([...Buffer.from('{"a":"'), 0xff, ...Buffer.from('"}')]);
    expect((await site.send({ method: 'POST', path: appData, body })).status).toBe(400);
  });

  test('1 MiB is read, a byte more is 413, streamed or announced (contract §2)', async () => {
    const site = await openSite(open, village);
    const post = { method: 'POST', path: appData };
    expect((await site.send({ ...post, body: `{}${' '.repeat(1_048_574)}` })).status).toBe(200);
    expect((await site.send({ ...post, body: `{}${' '.repeat(1_048_575)}` })).status).toBe(413);
    const announced = { ...post, body: '{}', headers: { 'content-length': '1048577' } };
    expect((await site.send(announced)).status).toBe(413);
  });

  test('X-HTTP-Method-Override is 400 (contract §1)', async () => {
    const site = await openSite(open, village);
    const call = { method: 'POST', path: appData, body: {}, headers: { 'X-HTTP-Method-Override': 'DELETE' } };
    expect((await site.send(call)).status).toBe(400);
  });

  test('a comma list on a write is 400 (contract §1)', async () => {
    const site = await openSite(open, village);
    for (const guid of ['1,2', '1%2C2', '1,']) {
      const path = `/appData/${guid}/@self/@app`;
      expect((await site.send({ method: 'POST', path, body: { a: 'v' } })).status).toBe(400);
      expect((await site.send({ method: 'DELETE', path })).status).toBe(400);
    }
  });

  test('@me, @viewer, @owner and the own id are the same in every service and method (contract §1)', async () => {
    const site = await openSite(open, {
      ...village,
      albums: [{ id: 'a1', ownerId: '1', title: 'Mine' }],
      mediaItems: [{ id: 'm1', albumId: 'a1', url: '/x.jpg' }],
    });
    await writeSetting(site.db, 'minimumInterval', '0');
    const rows = [
      ['GET', '/people/*/@self?fields=@all'],
      ['GET', '/people/*/@friends'],
      ['GET', '/people/*/@all/2'],
      ['GET', '/people/2/@all/*'],
      ['GET', '/people/*,3/@self'],
      ['POST', '/activities/*/@self', { title: 'x' }],
      ['GET', '/activities/*/@self'],
      ['GET', '/activities/*/@friends/@app'],
      ['POST', '/appData/*/@self/@app', { k: 'v' }],
      ['PUT', '/appData/*/@self/@app', { l: 'v' }],
      ['GET', '/appData/*/@self/@app'],
      ['GET', '/appData/*/@friends/@app'],
      ['DELETE', '/appData/*/@self/@app?fields=k'],
      ['GET', '/albums/*/@self'],
      ['GET', '/albums/*/@friends'],
      ['GET', '/mediaitems/*/@self/a1'],
    ] as const;
    for (const [method, path, body] of rows) {
      const answers = [];
      for (const name of ['1', '@me', '@viewer', '@owner']) {
        const call = { method, path: path.replace('*', name), ...(body && { body }) };
        const { status, text } = await site.send(call);
        answers.push([status, method === 'POST' ? text.replace(/"id":"\d+"/, '') : text]);
      }
      expect(answers, `${method} ${path}`).toEqual(Array(4).fill(answers[0]));
      expect(answers[0]?.[0], `${method} ${path}`).toBe(200);
    }
  });

  test.each([
    ['/people/1/@enemies', 404],
    ['/people/1/@friend', 404],
    ['/people/1/rowers', 501],
    ['/people/@me/@self/2', 404],
    ['/activities/1/@all', 404],
    ['/activities/1/@all/@app', 404],
    ['/activities/1/rowers', 501],
    ['/activities/1/rowers/@app', 501],
    ['/appData/1/@all/@app', 404],
    ['/appData/1/rowers/@app', 501],
    ['/albums/1/@enemies', 404],
    ['/albums/1/rowers', 501],
    ['/mediaitems/1/@enemies/a1', 404],
    ['/mediaitems/1/rowers/a1', 501],
  ])('the selector of %s: %i (contract §1)', async (path, status) => {
    const site = await openSite(open, village);
    expect((await site.get(path)).status).toBe(status);
  });

  test('fields and filterBy mean nothing elsewhere, and are ignored there (contract §2)', async () => {
    const site = await openSite(open, { ...village, albums: [{ id: 'a1', ownerId: '1', title: 'Mine' }] });
    for (const path of [
      '/activities/@me/@friends',
      '/albums/@me/@self',
      '/mediaitems/@me/@self/a1',
      '/people/1,2/@self',
    ]) {
      const plain = await site.get(path);
      expect([plain.status, (await site.get(`${path}?fields=&filterBy=hasApp`)).text], path).toEqual([200, plain.text]);
    }
    const post = { method: 'POST', path: `${appData}?fields=&filterBy=hasApp`, body: { a: 'v', b: 'w' } };
    expect((await site.send(post)).status).toBe(200);
    expect((await site.get(appData)).json).toEqual({ entry: { 1: { a: 'v', b: 'w' } } });
  });
});
