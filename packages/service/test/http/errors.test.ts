import { writeSetting } from '@gantry/service';
import { StoreError, sql } from '@gantry/store';
import { type OperationId, operation, operations } from '@gantry/wire';
import { describe, expect, test } from 'vitest';
import { databases } from '../databases.ts';
import { openSite, type SignedCall, send, serviceOf, start, village } from '../site.ts';
import { parseXml, textAt } from '../xml.ts';

const world = { ...village, albums: [{ id: 'a1', ownerId: '1', title: 'Album' }] };
const appData = '/appData/@me/@self/@app';
const activities = '/activities/@me/@self';

/** Returns a path of the operation with every parameter, and a body if it takes one. */
function example(id: OperationId): SignedCall {
  const { method, path } = operation(id);
  const filled = path
    .replace('{guid}', '1')
    .replace('{pid}', '2')
    .replace('{groupid}', 'rowers')
    .replace('{appid}', '@app')
    .replace('{albumId}', 'a1')
    .replace(/\{\w+\}/g, 'x1');
  return { method, path: filled, ...(method !== 'GET' && method !== 'DELETE' && { body: { title: 'text' } }) };
}

const rows = Object.keys(operations) as OperationId[];

describe.each(databases)('errors on $name', ({ open }) => {
  test('the table has the 30 rows of §4, 15 of which work', () => {
    expect(rows).toHaveLength(30);
    expect(rows.filter((id) => operation(id).status === 'works')).toHaveLength(15);
  });

  test.each(rows)('%s answers as its status says (§4)', async (id) => {
    const site = await openSite(open, world);
    const reply = await site.send(example(id));
    expect(reply.status).toBe(operation(id).status === 'works' ? 200 : 501);
    if (reply.status === 200) return expect(reply.json).toHaveProperty('entry');
    expect(reply.json.error).toMatchObject({ code: 501 });
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(reply.headers.get('cache-control')).toBe('no-store');
  });

  test.each(rows)('%s is refused unsigned, before any other check (contract §4)', async (id) => {
    const site = await openSite(open, world);
    expect((await site.send({ ...example(id), signed: false })).status).toBe(401);
  });

  test('an error is its status and a text, nothing more (contract §4)', async () => {
    const site = await openSite(open, world);
    expect((await site.get('/people/404/@self')).json).toEqual({
      error: { code: 404, message: 'There is no such member.' },
    });
  });

  const failures: readonly (readonly [number, SignedCall])[] = [
    [400, { path: '/people/@me/@friends?count=x' }],
    [400, { path: '/people/a%2Fb/@self?' }],
    [401, { path: '/people/@me/@self?', secret: 'wrong' }],
    [403, { path: '/appData/3/@self/@app?' }],
    [404, { path: '/people/404/@self?' }],
    [404, { path: '/nothing?' }],
    [405, { path: '/people/@me/@self?', method: 'DELETE' }],
    [413, { path: `${activities}?`, method: 'POST', body: 'x'.repeat(1_048_577) }],
    [415, { path: `${activities}?`, method: 'POST', body: 'x', headers: { 'content-type': 'text/plain' } }],
    [501, { path: '/people/@me/@all?' }],
  ];

  test.each(failures)('%i is XML for XML and Atom requests, wherever it arises (contract §4)', async (status, call) => {
    const site = await openSite(open, world);
    const message = (await site.send(call)).json.error?.message ?? '';
    for (const format of ['xml', 'ATOM']) {
      const reply = await site.send({ ...call, path: `${call.path}&format=${format}` });
      expect(reply.status).toBe(status);
      expect(reply.headers.get('content-type')).toBe('application/xml; charset=utf-8');
      expect(reply.headers.get('cache-control')).toBe('no-store');
      const error = parseXml(reply.text);
      expect(error.localName).toBe('response');
      expect([textAt(error, 'error', 'code'), textAt(error, 'error', 'message')]).toEqual([String(status), message]);
    }
  });

  test('RPC and media have no formats: failures are JSON (contract §4, §8)', async () => {
    const site = await openSite(open, world);
    for (const target of [
      '/social/rpc?format=xml',
      '/rpc?format=atom',
      '/gantry/media/x?format=xml',
      '/x?format=xml',
    ]) {
      const reply = await site.get('', { target, signed: false });
      expect(reply.headers.get('content-type'), target).toBe('application/json; charset=utf-8');
      expect(reply.json.error?.code).toBe(reply.status);
    }
  });

  test('an XML error is its status and a text in response (contract §4)', async () => {
    const site = await openSite(open, world);
    expect((await site.get('/people/404/@self?format=xml')).text).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n' +
        '<response><error><code>404</code><message>There is no such member.</message></error></response>',
    );
    const head = await site.get('/people/404/@self?format=xml', { method: 'HEAD' });
    expect([head.status, head.text, head.headers.get('content-type')]).toEqual([
      404,
      '',
      'application/xml; charset=utf-8',
    ]);
  });

  test('other headers of a failure are those of JSON: Retry-After, Allow, WWW-Authenticate (contract §4)', async () => {
    const site = await openSite(open, world);
    const post = { method: 'POST', path: `${activities}?format=xml`, body: { title: 'x' } };
    expect((await site.send(post)).status).toBe(200);
    const early = await site.send(post);
    expect([early.status, early.headers.get('retry-after')]).toEqual([500, '30']);
    expect((await site.send({ ...post, method: 'PUT' })).headers.get('allow')).toBe('POST, GET, HEAD');
    expect((await site.send({ ...post, secret: 'wrong' })).headers.get('www-authenticate')).toBe(
      'OAuth realm="https://social.example", oauth_problem="signature_invalid"',
    );
  });

  test.each(['format=xml&format=xml', 'format=', 'format=csv', 'format=xml&a=%zz'])(
    'an error of a request without one valid format, as in %s, is JSON (contract §2)',
    async (query) => {
      const site = await openSite(open, world);
      for (const path of ['/people/404/@self', '/nothing', '/people/@me/@all']) {
        const reply = await site.get('', { target: `/social/rest${path}?${query}`, signed: false });
        expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
        expect(reply.json.error?.code).toBe(reply.status);
      }
    },
  );

  // Each request fails at its own step and at every later one: the first failure is reported.
  const steps: readonly (readonly [string, number, SignedCall])[] = [
    [
      'target 400 before route 404',
      400,
      { method: 'POST', path: '/nothing/1', target: '/social/rest/nothing/%zz', signed: false, body: 'x' },
    ],
    [
      'method override 400 before route 404',
      400,
      { path: '/nothing/1', headers: { 'x-http-method-override': 'GET' }, signed: false },
    ],
    [
      'size 413 before route 404',
      413,
      { method: 'POST', path: '/nothing', body: 'x'.repeat(1_048_577), signed: false },
    ],
    ['segment 400 before OAuth 401', 400, { path: '/people/%2e%2e/@self', signed: false }],
    ['route 404 before OAuth 401', 404, { path: '/people/1/@self/extra', signed: false }],
    ['route 405 before OAuth 401', 405, { method: 'DELETE', path: '/people/1/@self', signed: false }],
    ['OAuth 400 before Unimplemented 501', 400, { path: '/people/1/@all?xoauth_requestor_id=2' }],
    ['OAuth 401 before Unimplemented 501', 401, { path: '/people/1/@all', secret: 'wrong' }],
    ['Unimplemented 501 before query 400', 501, { path: '/people/1/@all?count=x' }],
    ['a group 501 before query 400', 501, { path: '/appData/1/rowers/@app?count=x' }],
    [
      'query 400 before appid 403',
      400,
      { method: 'POST', path: '/appData/2/@self/photos?count=x', key: 'member-1', body: 'x' },
    ],
    ['a list on a write 400 before appid 403', 400, { method: 'POST', path: '/appData/1,2/@self/photos', body: 'x' }],
    [
      'appid 403 before body 415',
      403,
      { method: 'POST', path: '/appData/1/@self/photos', body: 'x', headers: { 'content-type': 'text/plain' } },
    ],
    [
      'another member 403 before body 415',
      403,
      { method: 'POST', path: '/appData/2/@self/@app', body: 'x', headers: { 'content-type': 'text/plain' } },
    ],
    ['another member 403 before body 400', 403, { method: 'POST', path: '/activities/404/@self', body: '{' }],
    [
      'body 415 before body 400',
      415,
      { method: 'POST', path: activities, body: '{', headers: { 'content-type': 'text/plain' } },
    ],
    ['body 400 before field rules 400', 400, { method: 'POST', path: appData, body: '{"a b":1,' }],
    ['unknown member 404 before AppData rules 403', 404, { path: '/appData/4/@self/@app' }],
    ['appid 403 before unknown member 404', 403, { path: '/appData/404/@self/photos' }],
    ['query 400 before unknown member 404', 400, { path: '/people/404/@friends?startIndex=' }],
    ['empty fields 400 before unknown member 404', 400, { path: '/appData/404/@self/@app?fields=' }],
  ];

  test.each(steps)('%s (contract §4)', async (_, status, call) => {
    const site = await openSite(open, world);
    expect((await site.send(call)).status).toBe(status);
  });

  test('field rules 400 before the interval 500 (contract §4)', async () => {
    const site = await openSite(open, world);
    expect((await site.send({ method: 'POST', path: activities, body: { title: 'x' } })).status).toBe(200);
    expect((await site.send({ method: 'POST', path: activities, body: { title: '' } })).status).toBe(400);
    expect((await site.send({ method: 'POST', path: activities, body: { title: 'x' } })).status).toBe(500);
  });

  test('no album extension 501 before query 400 (contract §4)', async () => {
    const site = await openSite(open, world);
    await writeSetting(site.db, 'albums', 'false');
    expect((await site.get('/albums/@me/@self?count=x')).status).toBe(501);
  });

  test('405 names the methods that work (contract §1)', async () => {
    const site = await openSite(open, world);
    const allow = async (method: string, path: string) => {
      const reply = await site.send({ method, path });
      return [reply.status, reply.headers.get('allow')];
    };
    expect(await allow('DELETE', '/people/1/@self')).toEqual([405, 'GET, HEAD']);
    expect(await allow('PATCH', appData)).toEqual([405, 'GET, HEAD, POST, PUT, DELETE']);
    expect(await allow('OPTIONS', activities)).toEqual([405, 'POST, GET, HEAD']);
    expect(await allow('POST', '/people/1/rowers')).toEqual([405, 'GET, HEAD']);
  });

  test('every {appid} with a key of no app is 403 (contract §4)', async () => {
    const site = await openSite(open, world);
    for (const path of [
      '/activities/1/@self/@app',
      '/activities/1/@self/notes',
      '/activities/1/@friends/@app',
      '/activities/1/@self/nothing',
      appData,
      '/appData/1/@friends/notes',
    ]) {
      expect((await site.get(path, { key: 'member-1' })).status, path).toBe(403);
    }
    const post = { method: 'POST', path: '/activities/1/@self/@app', body: { title: 'x' }, key: 'member-1' };
    expect((await site.send(post)).status).toBe(403);
  });

  test('another {appid} is 403, existing or not, on activities too (contract §4)', async () => {
    const site = await openSite(open, world);
    for (const app of ['photos', 'nothing', '@viewer', 'notes,photos']) {
      expect((await site.get(`/activities/1/@self/${app}`)).status, app).toBe(403);
    }
  });

  test('a write for another id is 403, existing or not (contract §1)', async () => {
    const site = await openSite(open, world);
    for (const guid of ['2', '4', '404', '@nobody']) {
      const post = { method: 'POST', path: `/activities/${guid}/@self`, body: { title: 'x' } };
      expect((await site.send(post)).status, guid).toBe(403);
    }
  });

  const faults: readonly (readonly [ConstructorParameters<typeof StoreError>[0], number, string | null])[] = [
    ['unavailable', 503, '1'],
    ['full', 507, null],
    ['other', 500, null],
  ];

  test.each(faults)(
    'a store that is %s answers %i (contract §4, security rule 23)',
    async (reason, status, retryAfter) => {
      const site = await openSite(open, world);
      const logged: unknown[] = [];
      const fault = new StoreError(reason, 'SQLITE: no such table /var/lib/secret');
      const service = await serviceOf(site, {
        db: { ...site.db, batch: () => Promise.reject(fault) },
        log: { error: (...entry: unknown[]) => logged.push(entry) } as never,
      });
      const post = { method: 'POST', path: appData, body: { a: 'v' }, timestamp: start / 1000 };
      const reply = await send(service, post);
      expect([reply.status, reply.headers.get('retry-after')]).toEqual([status, retryAfter]);
      expect(reply.text).not.toMatch(/SQL|secret|var/);
      expect(logged).toHaveLength(1);
      expect((await send(service, { path: appData, timestamp: start / 1000 })).status).toBe(200); // reads go on
    },
  );

  test('nothing that a client sends is in the log (security rule 8)', async () => {
    const site = await openSite(open, world);
    const logged: string[] = [];
    const service = await serviceOf(site, {
      db: { ...site.db, batch: () => Promise.reject(new Error('bug')) },
      log: { error: (entry: { err: Error }) => logged.push(`${entry.err.message}${JSON.stringify(entry)}`) } as never,
    });
    const reply = await send(service, {
      method: 'POST',
      path: appData,
      body: { a: 'private' },
      timestamp: start / 1000,
    });
    expect(reply.json.error).toEqual({ code: 500, message: 'Something went wrong on our side.' });
    expect(logged.join()).toBe('bug{"err":{}}');
  });

  test('a hostile value never becomes SQL (security rule 19)', async () => {
    const site = await openSite(open, world);
    const hostile = "1' or '1'='1";
    for (const path of [
      `/people/${encodeURIComponent(hostile)}/@self`,
      `/people/1/@all/${encodeURIComponent(hostile)}`,
      `/mediaitems/1/@self/${encodeURIComponent(hostile)}`,
    ]) {
      expect((await site.get(path)).status, path).toBe(404);
    }
    expect((await site.get(`${appData}?fields=${encodeURIComponent(hostile)}`)).json).toEqual({ entry: { 1: {} } });
    expect(await site.db.query(sql`select 1 from member`)).toHaveLength(6);
    // Control: as text of a statement it would have matched everyone.
    expect(await site.db.query(sql`select 1 from member where id = '1' or '1'='1'`)).toHaveLength(6);
  });
});
