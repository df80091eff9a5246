import { writeSetting } from '@gantry/service';
import { describe, expect, test } from 'vitest';
import { databases } from '../databases.ts';
import { call, rpc } from '../rpc-client.ts';
import { openSite, village } from '../site.ts';

const bo = { id: '2', isOwner: false, isViewer: false, hasApp: true, displayName: 'Bo' };

describe.each(databases)('JSON-RPC on $name', ({ open }) => {
  const openVillage = () => openSite(open, village);

  describe('requests', () => {
    test('one object is answered by one object, with its id and the result under data (contract §1, §8)', async () => {
      const site = await openVillage();
      const answer = await rpc(site, { method: 'people.get', id: 'x', params: { userId: '2' } });
      expect(answer.status).toBe(200);
      expect(Object.fromEntries(answer.headers)).toEqual({
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
      });
      expect(answer.json).toEqual({
        id: 'x',
        data: {
          ...bo,
          thumbnailUrl: 'https://faces.example/2.png',
          profileUrl: 'https://social.example/members/2',
        },
      });
    });

    test('at /rpc the result is under result (contract §1)', async () => {
      const site = await openVillage();
      const { json } = await rpc(site, { method: 'people.get', id: 'x' }, { path: '/rpc' });
      expect(json).toMatchObject({ id: 'x', result: { id: '1', displayName: 'Ann' } });
      expect(Object.keys(json)).toEqual(['id', 'result']);
      expect((await rpc(site, [], { path: '/rpc/' })).text).toBe('[]');
    });

    test('an array is answered by an array: order and ids are kept, one bad item never spoils its batch (contract §8)', async () => {
      const site = await openVillage();
      const { status, json } = await rpc(site, [
        { method: 'people.get', id: 'b', params: { userId: '404' } },
        { method: 'people.get', id: 7, params: { userId: '2' } },
        { method: 'people.get' },
        { method: 'nothing.get', id: '' },
        null,
        [],
        'people.get',
        { id: 'no method' },
        { method: 'people.get', id: -1.5, params: [] },
        { method: 'people.get', id: {}, params: {} },
        { method: 'people.get', id: 'b', params: { userId: '10' } },
      ]);
      expect(status).toBe(200);
      expect(json.map((reply) => [reply.id, reply.error?.code ?? reply.data?.id])).toEqual([
        ['b', 404],
        [7, '2'],
        [undefined, '1'],
        ['', -32601],
        [undefined, 400],
        [undefined, 400],
        [undefined, 400],
        ['no method', 400],
        [-1.5, 400],
        [undefined, 400],
        ['b', '10'],
      ]);
    });

    test('ids that are numbers keep every digit, whatever the numbers of this language hold (contract §8)', async () => {
      const site = await openVillage();
      const ids = ['12345678901234567890', '9007199254740993', '1e400', '-0', '1.50', '0.1', '7', '"9007199254740993"'];
      const call = (id: string) => `{"method":"system.nothing","params":{"id":9007199254740993},"id":${id}}`;
      const { text } = await rpc(site, `\ufeff[${ids.map(call).join()}]`);
      expect(Array.from(text.matchAll(/"id":("?[-\d.e]+"?)/g), ([, id]) => id)).toEqual(ids);
      expect((await rpc(site, call('18446744073709551615'))).text).toContain('{"id":18446744073709551615,"error"');
    });

    test('an absent id is answered too, and null is absent (contract §8)', async () => {
      const site = await openVillage();
      for (const text of ['{"method":"people.get"}', '{"method":"people.get","id":null,"params":null}']) {
        const { json } = await rpc(site, text);
        expect(Object.keys(json)).toEqual(['data']);
        expect(json.data).toMatchObject({ id: '1' });
      }
    });

    test('[] is answered by [], 100 calls are made and 101 are 400 (contract §8)', async () => {
      const site = await openVillage();
      expect((await rpc(site, [])).text).toBe('[]');
      const calls = (count: number) => Array.from({ length: count }, (_, id) => ({ method: 'people.get', id }));
      const { json } = await rpc(site, calls(100));
      expect(json.map(({ id, data }) => [id, data?.id])).toEqual(Array.from({ length: 100 }, (_, id) => [id, '1']));
      const refused = await rpc(site, calls(101));
      expect(refused.status).toBe(400);
      expect(refused.json).toEqual({ error: { code: 400, message: 'One request makes at most 100 calls.' } });
    });

    test('broken JSON is HTTP 400: repeated keys, depth beyond 64, not UTF-8, no calls at all (contract §2, §8)', async () => {
      const site = await openVillage();
      for (const body of [
        '',
        '{',
        '[{"method":"people.get"},]',
        '{"method":"people.get","method":"people.get"}',
        '{"method":"people.get","params":{"count":1,"count":2}}',
        '['.repeat(65) + ']'.repeat(65),
        '{"method":"\\ud800"}',
        Buffer.from([0x5b, 0xff, 0x5d]),
        '1',
        '"people.get"',
        'null',
      ]) {
        const { status, json } = await rpc(site, body);
        expect([status, json.error?.code], String(body).slice(0, 60)).toEqual([400, 400]);
      }
    });

    test('a body beyond 1 MiB is 413 (contract §2)', async () => {
      const site = await openVillage();
      expect((await rpc(site, `[${' '.repeat(1024 * 1024)}]`)).status).toBe(413);
      expect((await rpc(site, `[${' '.repeat(1024 * 1024 - 2)}]`)).text).toBe('[]');
    });

    test('GET and every other method are 405 with Allow, before any signature (contract §4, §8)', async () => {
      const site = await openVillage();
      for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
        for (const path of ['/social/rpc', '/rpc']) {
          const answer = await rpc(site, [], { method, path, signed: false });
          expect([answer.status, answer.headers.get('allow')], method).toEqual([405, 'POST']);
        }
      }
    });

    test('other paths beside them are 404 (contract §1)', async () => {
      const site = await openVillage();
      for (const path of ['/social/rpc/x', '/social/rpc//', '/social/RPC', '/rpcs']) {
        expect((await rpc(site, [], { path })).status, path).toBe(404);
      }
    });

    test('clients send application/json or application/json-rpc; another type or charset is 415 (contract §2)', async () => {
      const site = await openVillage();
      for (const type of [
        'application/json-rpc',
        'Application/JSON-RPC; charset=UTF-8',
        'application/json;charset=utf-8',
      ]) {
        expect((await rpc(site, [], { type })).status, type).toBe(200);
      }
      for (const type of [
        'text/plain',
        'application/xml',
        'application/atom+xml',
        'application/json-rpcs',
        'application/json; charset=latin1',
      ]) {
        expect((await rpc(site, '[]', { type })).status, type).toBe(415);
      }
      expect((await rpc(site, Buffer.from('[]'), { type: null })).status).toBe(415);
      expect((await rpc(site, '[]', { headers: { 'content-encoding': 'gzip' } })).status).toBe(415);
      expect((await rpc(site, '[]', { headers: { 'x-http-method-override': 'GET' } })).status).toBe(400);
    });
  });

  describe('authorization', () => {
    test('clients sign with or without oauth_body_hash, with the requestor in the header or the query (contract §5)', async () => {
      const site = await openVillage();
      const get = { method: 'people.get' };
      expect((await rpc(site, get, { bodyHash: true })).json.data).toMatchObject({ id: '1' });
      expect((await rpc(site, get, { as: null, query: '?xoauth_requestor_id=2' })).json.data).toMatchObject({
        id: '2',
      });
      const both = { query: '?xoauth_requestor_id=2', as: '2', bodyHash: true };
      expect((await rpc(site, get, both)).json.data).toMatchObject({ id: '2' });
    });

    test('failed authorization is HTTP 401 with an error, for the request as a whole (contract §4)', async () => {
      const site = await openVillage();
      const calls = [{ method: 'people.get', id: 1 }];
      const unsigned = await rpc(site, calls, { signed: false });
      expect(unsigned.status).toBe(401);
      expect(unsigned.headers.get('www-authenticate')).toBe(
        'OAuth realm="https://social.example", oauth_problem="parameter_absent"',
      );
      expect(unsigned.json.error?.code).toBe(401);
      expect((await rpc(site, calls, { as: '404' })).status).toBe(401);
      expect((await rpc(site, calls, { key: 'nobody' })).status).toBe(401);
      expect((await rpc(site, calls, { signed: false, query: '?st=token' })).status).toBe(401);
    });

    test('authorization comes before the body: who may not ask learns nothing about it (contract §4)', async () => {
      const site = await openVillage();
      expect((await rpc(site, '{', { signed: false })).status).toBe(401);
      expect((await rpc(site, '{', { signed: false, type: 'text/plain' })).status).toBe(401);
    });

    test('errors are JSON whatever format is asked for: it is the only one here (contract §4)', async () => {
      const site = await openVillage();
      const { status, json } = await rpc(site, [], { query: '?format=xml', as: '404' });
      expect([status, json.error?.code]).toEqual([401, 401]);
    });

    test('a batch counts as its calls against the rate limit: the call beyond it is 429 with data.retryAfter (contract §4)', async () => {
      const site = await openVillage();
      await writeSetting(site.db, 'rateLimit', '60');
      await writeSetting(site.db, 'rateBurst', '3');
      const get = { method: 'people.get' };
      const { json } = await rpc(site, [get, get, get, get]);
      expect(json.map(({ error }) => error?.code)).toEqual([undefined, undefined, undefined, 429]);
      expect(json[3]?.error?.data).toEqual({ reason: 'RATE_LIMITED', retryAfter: 1 });
      const whole = await rpc(site, get);
      expect([whole.status, whole.headers.get('retry-after')]).toEqual([429, '1']);
    });

    test('parameters named oauth, xoauth or opensocial never change who is asked for (security rule 11)', async () => {
      const site = await openVillage();
      const params = {
        xoauth_requestor_id: '2',
        oauth_token: 't',
        opensocial_viewer_id: '2',
        opensocial_owner_id: '2',
        viewerId: '2',
        __proto__: null,
      };
      expect((await call(site, 'people.get', params)).data).toMatchObject({ id: '1', isViewer: true });
      await call(site, 'appdata.update', { ...params, data: { k: 'mine' } });
      expect((await call(site, 'appdata.get', params)).data).toEqual({ '1': { k: 'mine' } });
      expect((await call(site, 'appdata.get', {}, { as: '2' })).data).toEqual({ '2': {} });
    });

    test('a request is verified once: its nonce counts once for all its calls (contract §5)', async () => {
      const site = await openVillage();
      const { json } = await rpc(site, [{ method: 'people.get' }, { method: 'people.get' }]);
      expect(json.map(({ data }) => data?.id)).toEqual(['1', '1']);
    });
  });
});
