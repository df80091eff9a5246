import { describe, expect, test } from 'vitest';
import { databases } from '../databases.ts';
import { openSite, village } from '../site.ts';

const self = '/people/@me/@self';
const appData = '/appData/@me/@self/@app';
const formats = ['json', 'xml', 'atom'];

describe.each(databases)('answers on $name', ({ open }) => {
  test('a read has its type, a strong validator and is kept private (contract §3)', async () => {
    const site = await openSite(open, village);
    const { headers } = await site.get(self);
    expect(Object.fromEntries(headers)).toEqual({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'private, no-cache',
      etag: expect.stringMatching(/^"[\w-]{27}"$/),
    });
  });

  test('a write is not stored by caches (contract §3)', async () => {
    const site = await openSite(open, village);
    const { headers } = await site.send({ method: 'POST', path: appData, body: { a: 'v' } });
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('the validator changes with viewer, app and content, and with nothing else (contract §3)', async () => {
    const site = await openSite(open, village);
    const etag = async (path: string, options = {}) => (await site.get(path, options)).headers.get('etag');
    const first = await etag('/people/3/@self');
    expect(await etag('/people/3/@self')).toBe(first);
    expect(await etag('/people/3/@self', { key: 'notes-app' })).toBe(first); // another key of the same app
    expect(await etag('/people/3/@self', { as: '5' })).not.toBe(first);
    const inOtherApp = await etag('/people/5/@self', { key: 'photos-container' });
    expect(inOtherApp).not.toBe(await etag('/people/5/@self'));
    await site.add({ members: [{ id: '3', displayName: 'Diana' }] });
    expect(await etag('/people/3/@self')).not.toBe(first);
  });

  test('If-None-Match gives 304 without a body (contract §3)', async () => {
    const site = await openSite(open, village);
    const etag = (await site.get(self)).headers.get('etag') ?? '';
    for (const condition of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const reply = await site.get(self, { headers: { 'if-none-match': condition } });
      expect([reply.status, reply.text, reply.headers.get('etag')], condition).toEqual([304, '', etag]);
      expect(reply.headers.get('cache-control')).toBe('private, no-cache');
    }
    expect((await site.get(self, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
  });

  test.each(formats)(
    'in %s too: a strong validator, 304, and HEAD with the headers of GET (contract §3)',
    async (format) => {
      const site = await openSite(open, village);
      for (const path of [self, '/people/@me/@friends', '/activities/@me/@self', appData, '/albums/@me/@self']) {
        const get = await site.get(`${path}?format=${format}`);
        expect(Object.fromEntries(get.headers), path).toEqual({
          'content-type': `application/${format === 'atom' ? 'atom+xml' : format}; charset=utf-8`,
          'cache-control': 'private, no-cache',
          etag: expect.stringMatching(/^"[\w-]{27}"$/),
        });
        const etag = get.headers.get('etag') ?? '';
        const again = await site.get(`${path}?format=${format}`, { headers: { 'if-none-match': etag } });
        expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
        const head = await site.get(`${path}?format=${format}`, { method: 'HEAD' });
        expect([head.status, head.text]).toEqual([200, '']);
        expect(Object.fromEntries(head.headers)).toEqual(Object.fromEntries(get.headers));
      }
    },
  );

  test('the validator of one format is not that of another (contract §3)', async () => {
    const site = await openSite(open, village);
    for (const path of [self, appData]) {
      const replies = await Promise.all(formats.map((format) => site.get(`${path}?format=${format}`)));
      expect(new Set(replies.map((reply) => reply.headers.get('etag'))).size).toBe(3);
    }
  });

  test('304 comes after OAuth and every permission check (contract §3)', async () => {
    const site = await openSite(open, village);
    const headers = { 'if-none-match': '*' };
    expect((await site.get(self, { headers, secret: 'wrong' })).status).toBe(401);
    expect((await site.get('/people/4/@self', { headers })).status).toBe(404);
    expect((await site.get('/appData/3/@self/@app', { headers })).status).toBe(403);
  });

  test('HEAD answers as GET without a body and is signed as HEAD (contract §1)', async () => {
    const site = await openSite(open, village);
    const [get, head] = [await site.get(self), await site.get(self, { method: 'HEAD' })];
    expect([head.status, head.text]).toEqual([200, '']);
    expect(Object.fromEntries(head.headers)).toEqual(Object.fromEntries(get.headers));
    const missing = await site.get('/people/404/@self', { method: 'HEAD' });
    expect([missing.status, missing.text]).toEqual([404, '']);
  });

  test('there is never an empty 200 (contract §3)', async () => {
    const site = await openSite(open, village);
    expect((await site.send({ method: 'POST', path: appData, body: {} })).text).toBe('{"entry":{}}');
    expect((await site.send({ method: 'DELETE', path: appData })).text).toBe('{"entry":{}}');
    expect((await site.get('/activities/10/@self')).text).toBe(
      '{"entry":[],"startIndex":0,"totalResults":0,"itemsPerPage":20}',
    );
  });

  test('an empty list of every kind has all four members (contract §3)', async () => {
    const site = await openSite(open, { ...village, albums: [{ id: 'a1', ownerId: '1', title: 'Mine' }] });
    for (const path of [
      '/people/404,405/@self',
      '/people/404,405/@friends',
      '/people/@me/@friends?filterBy=hasApp',
      '/people/@me/@all/404,405',
      '/activities/@me/@self',
      '/activities/@me/@self/@app',
      '/activities/@me/@friends',
      '/activities/@me/@friends/@app',
      '/albums/10/@self',
      '/albums/@me/@friends',
      '/mediaitems/@me/@self/a1',
    ]) {
      const { text } = await site.get(path, { key: 'photos-container' }); // an app that none of the friends has
      expect(text, path).toBe('{"entry":[],"startIndex":0,"totalResults":0,"itemsPerPage":20}');
    }
  });
});
