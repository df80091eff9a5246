import { writeSetting } from '@gantry/service';
import { sql } from '@gantry/store';
import { describe, expect, test } from 'vitest';
import { databases } from './databases.ts';
import { imageFolder } from './images.ts';
import { call, rpc } from './rpc-client.ts';
import { openSite, type Site, village } from './site.ts';

const bo = { id: '2', isOwner: false, isViewer: false, hasApp: true, displayName: 'Bo' };
const ids = (data: unknown) => (data as { list: readonly { id: string }[] }).list.map(({ id }) => id);

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

  describe('methods', () => {
    test('system.listMethods names what there is, without what the site lacks (contract §8)', async () => {
      const site = await openVillage();
      const all = [
        'activities.create',
        'activities.get',
        'albums.get',
        'appdata.create',
        'appdata.delete',
        'appdata.get',
        'appdata.update',
        'mediaItems.get',
        'people.get',
        'system.listMethods',
      ];
      expect((await call(site, 'system.listMethods')).data).toEqual(all);
      await writeSetting(site.db, 'albums', 'false');
      expect((await call(site, 'system.listMethods')).data).toEqual(
        all.filter((name) => name !== 'albums.get' && name !== 'mediaItems.get'),
      );
    });

    test('an unknown method is -32601 (contract §8)', async () => {
      const site = await openVillage();
      for (const name of [
        '',
        'people',
        'people.put',
        'People.get',
        'messages.send',
        '__proto__',
        'constructor',
        'toString',
      ]) {
        expect((await call(site, name)).error?.code, name).toBe(-32601);
      }
    });

    test('an unimplemented row is 501 (contract §4, §8)', async () => {
      const site = await openVillage();
      const rows: [string, object][] = [
        ['people.get', { groupId: '@all' }],
        ['people.get', { groupId: 'rowers' }],
        ['people.getSupportedFields', {}],
        ['activities.get', { groupId: 'rowers' }],
        ['activities.get', { groupId: 'rowers', appId: '@app' }],
        ['activities.get', { appId: '@app', activityId: 'a' }],
        ['activities.get', { activityId: 'a' }],
        ['activities.getSupportedFields', {}],
        ['appdata.get', { groupId: 'rowers' }],
        ['albums.get', { albumId: 'a' }],
        ['albums.get', { groupId: '@all' }],
        ['albums.create', {}],
        ['albums.update', {}],
        ['albums.delete', {}],
        ['mediaItems.get', { albumId: 'a', mediaItemId: 'm' }],
        ['mediaItems.get', { mediaItemId: 'm' }],
        ['mediaItems.get', { groupId: '@all' }],
        ['mediaItems.create', {}],
        ['mediaItems.update', {}],
        ['mediaItems.delete', {}],
      ];
      for (const [method, params] of rows) {
        expect((await call(site, method, params)).error, `${method} ${JSON.stringify(params)}`).toMatchObject({
          code: 501,
          data: { reason: 'NOT_IMPLEMENTED' },
        });
      }
    });

    test('albums and media items are 501 where the site lacks the extension (§7)', async () => {
      const site = await openVillage();
      await writeSetting(site.db, 'albums', 'false');
      expect((await call(site, 'albums.get')).error?.code).toBe(501);
      expect((await call(site, 'mediaItems.get')).error?.code).toBe(501);
    });

    test('a fault of ours is -32603 and spoils nothing beside it (contract §4)', async () => {
      const site = await openVillage();
      await site.db.query(sql`drop table last_post`);
      const { status, json } = await rpc(site, [
        { method: 'activities.create', id: 1, params: { activity: { title: 'Hello' } } },
        { method: 'people.get', id: 2 },
      ]);
      expect(status).toBe(200);
      expect(json[0]).toEqual({
        id: 1,
        error: { code: -32603, message: 'Something went wrong on our side.', data: { reason: 'INTERNAL' } },
      });
      expect(json[1]).toMatchObject({ id: 2, data: { id: '1' } });
    });
  });

  describe('people', () => {
    test('lists are {list, startIndex, totalResults, itemsPerPage} (contract §8)', async () => {
      const site = await openVillage();
      const { data } = await call(site, 'people.get', { groupId: '@friends' });
      expect(Object.keys(data ?? {})).toEqual(['list', 'startIndex', 'totalResults', 'itemsPerPage']);
      expect(data).toMatchObject({ startIndex: 0, totalResults: 3, itemsPerPage: 20 });
      expect(ids(data)).toEqual(['2', '5', '10']);
      const none = await call(site, 'people.get', { groupId: '@friends' }, { as: '404', key: 'admin-any' });
      expect(none).toEqual({ error: { code: 401, message: expect.any(String) } });
    });

    test('count and startIndex are numbers or decimal strings, null is absent (contract §8)', async () => {
      const site = await openVillage();
      const page = async (paging: object) => (await call(site, 'people.get', { groupId: '@friends', ...paging })).data;
      expect(await page({ count: 1, startIndex: 1 })).toMatchObject({
        list: [{ id: '5' }],
        itemsPerPage: 1,
        startIndex: 1,
      });
      expect(await page({ count: '1', startIndex: '1' })).toMatchObject({ list: [{ id: '5' }], totalResults: 3 });
      expect(await page({ count: null, startIndex: null })).toMatchObject({ itemsPerPage: 20, startIndex: 0 });
      expect(await page({ count: 0, startIndex: -3 })).toMatchObject({ itemsPerPage: 20, startIndex: 0 });
      expect(await page({ count: 1e9, startIndex: 99 })).toMatchObject({
        list: [],
        totalResults: 3,
        itemsPerPage: 100,
      });
    });

    test('bad params are 400 and say what would be right (contract §8)', async () => {
      const site = await openVillage();
      const bad: [string, object][] = [
        ['people.get', { count: 1.5 }],
        ['people.get', { count: '' }],
        ['people.get', { count: 'ten' }],
        ['people.get', { startIndex: true }],
        ['people.get', { startIndex: '1234567890123456' }],
        ['people.get', { count: [1] }],
        ['people.get', { userId: {} }],
        ['people.get', { userId: [] }],
        ['people.get', { userId: [['1']] }],
        ['people.get', { userId: Array.from({ length: 101 }, (_, n) => n) }],
        ['people.get', { groupId: ['@self'] }],
        ['people.get', { fields: { name: 'age' } }],
        ['people.get', { personId: [] }],
        ['people.get', { groupId: '@friends', personId: '2' }],
        ['activities.create', { groupId: '@friends', activity: { title: 'x' } }],
        ['activities.create', { userId: ['1', '2'], activity: { title: 'x' } }],
        ['activities.create', {}],
        ['activities.create', { activity: 'Hello' }],
        ['activities.create', { activity: { title: ' ' } }],
        ['activities.create', { activity: { title: 'x', url: 'https://elsewhere.example/' } }],
        ['appdata.update', {}],
        ['appdata.update', { data: [] }],
        ['appdata.update', { data: { 'a b': 'x' } }],
        ['appdata.update', { data: { k: 1 } }],
        ['appdata.update', { userId: '1,2', data: { k: 'v' } }],
        ['appdata.get', { keys: [] }],
        ['mediaItems.get', { albumId: 'a\0' }],
        ['mediaItems.get', { albumId: {} }],
      ];
      for (const [method, params] of bad) {
        const { error } = await call(site, method, params);
        expect(error, `${method} ${JSON.stringify(params).slice(0, 60)}`).toMatchObject({ code: 400 });
        expect(error?.message).toMatch(/\w+/);
      }
    });

    test('fields and userId are arrays or comma lists (contract §8)', async () => {
      const site = await openVillage();
      const expected = { id: '1', gender: 'female', languagesSpoken: 'en' };
      expect((await call(site, 'people.get', { fields: 'gender, languagesSpoken,nothing' })).data).toMatchObject(
        expected,
      );
      expect((await call(site, 'people.get', { fields: ['gender', 'languagesSpoken'] })).data).toMatchObject(expected);
      expect((await call(site, 'people.get', { fields: null })).data).not.toHaveProperty('gender');
      for (const userId of ['10,4,2', ['10', '4', '2'], ['10', 4, 2]]) {
        expect(ids((await call(site, 'people.get', { userId })).data)).toEqual(['10', '2']); // Ed has blocked Ann
      }
      expect((await call(site, 'people.get', { userId: ['2'] })).data).toMatchObject({ id: '2' });
    });

    test('@me, @viewer, @owner and the own id are the requester, and so is no userId (contract §1, §8)', async () => {
      const site = await openVillage();
      for (const userId of ['@me', '@viewer', '@owner', '1', 1, null, undefined]) {
        expect((await call(site, 'people.get', { userId })).data).toMatchObject({ id: '1', isViewer: true });
      }
    });

    test('personId and pid name one person, as seen by userId (contract §6, §8)', async () => {
      const site = await openVillage();
      expect((await call(site, 'people.get', { personId: '3' })).data).toMatchObject({ id: '3' });
      expect((await call(site, 'people.get', { pid: 3, groupId: '@all' })).data).toMatchObject({ id: '3' });
      expect((await call(site, 'people.get', { pid: '4' })).error?.code).toBe(404);
      expect(ids((await call(site, 'people.get', { personId: ['3', '4', '2'] })).data)).toEqual(['3', '2']);
    });

    test('filterBy hasApp works on friends (contract §2)', async () => {
      const site = await openVillage();
      const { data } = await call(site, 'people.get', { groupId: '@friends', filterBy: 'hasApp' });
      expect(data).toMatchObject({ list: [{ id: '2' }], totalResults: 1 });
    });

    test('a selector that there is not is 404, unknown and invisible members too (contract §1, §4)', async () => {
      const site = await openVillage();
      for (const params of [
        { groupId: '@nobody' },
        { userId: '404' },
        { userId: '4' },
        { userId: 'a/b' },
        { userId: '@nobody' },
      ]) {
        expect((await call(site, 'people.get', params)).error?.code, JSON.stringify(params)).toBe(404);
      }
      expect((await call(site, 'activities.get', { groupId: '@all' })).error?.code).toBe(404);
    });

    test('in version 0.9.3 @friend replaces @friends, and hasApp is absent (contract §7)', async () => {
      const site = await openVillage();
      const { update, friends } = { update: { data: { k: 'v' } }, friends: { groupId: '@friend' } };
      await call(site, 'appdata.update', update, { as: '2' });
      await writeSetting(site.db, 'apiVersion', '0.9.3');
      const people = (await call(site, 'people.get', friends)).data;
      expect(ids(people)).toEqual(['2', '5', '10']);
      expect(people?.list).not.toContainEqual(expect.objectContaining({ hasApp: expect.anything() }));
      expect((await call(site, 'appdata.get', friends)).data).toEqual({ '2': { k: 'v' } });
      expect((await call(site, 'activities.get', friends)).data).toMatchObject({ list: [] });
      for (const method of ['people.get', 'appdata.get', 'activities.get']) {
        expect((await call(site, method, { groupId: '@friends' })).error?.code, method).toBe(404);
      }
      await writeSetting(site.db, 'apiVersion', '1.2');
      expect((await call(site, 'people.get', friends)).error?.code).toBe(404);
    });
  });

  describe('activities', () => {
    test('a post answers the activity, and streams list it (contract §3, §8)', async () => {
      const site = await openVillage();
      const { data } = await call(site, 'activities.create', { activity: { title: 'Hello', url: '/a', id: '7' } });
      const posted = {
        id: expect.stringMatching(/^\d{22}$/),
        userId: '1',
        title: 'Hello',
        postedTime: '2026-05-20T12:00:00+00:00',
        url: 'https://social.example/a',
      };
      expect(data).toEqual(posted);
      const list = { list: [posted], startIndex: 0, totalResults: 1, itemsPerPage: 20 };
      expect((await call(site, 'activities.get')).data).toEqual(list);
      expect((await call(site, 'activities.get', { appId: '@app' })).data).toEqual(list);
      expect((await call(site, 'activities.get', { appId: 'notes' })).data).toEqual(list);
      expect((await call(site, 'activities.get', { groupId: '@friends' }, { as: '2' })).data).toEqual(list);
    });

    test('without appId a stream is of all apps, with another app it is 403 (contract §4, §8)', async () => {
      const site = await openVillage();
      await call(site, 'activities.create', { activity: { title: 'Photo' } }, { key: 'photos-container' });
      expect((await call(site, 'activities.get')).data).toMatchObject({ totalResults: 1 });
      expect((await call(site, 'activities.get', { appId: '@app' })).data).toMatchObject({ list: [], totalResults: 0 });
      for (const appId of ['photos', 'nothing', '@nothing']) {
        expect((await call(site, 'activities.get', { appId })).error?.code, appId).toBe(403);
      }
      expect((await call(site, 'activities.get', { appId: '@app' }, { key: 'member-1' })).error?.code).toBe(403);
    });

    test('a post within the interval is 503 with data.retryAfter (contract §4)', async () => {
      const site = await openVillage();
      const post = { method: 'activities.create', params: { activity: { title: 'Hello' } } };
      site.nowMs += 400;
      expect((await rpc(site, post)).json.data).toMatchObject({ title: 'Hello' });
      site.nowMs += 1_500;
      const { json } = await rpc(site, [post, post, { method: 'people.get' }]);
      expect(json[0]?.error).toEqual({
        code: 503,
        message: 'Only one activity may be posted every 30 seconds.',
        data: { reason: 'POSTED_TOO_SOON', retryAfter: 29 },
      });
      expect(json[1]?.error?.code).toBe(503);
      expect(json[2]?.data).toMatchObject({ id: '1' });
      site.nowMs += 28_500;
      expect((await rpc(site, post)).json.data).toMatchObject({ title: 'Hello' });
    });

    test('a post for another member is 403, existing or not (contract §1)', async () => {
      const site = await openVillage();
      for (const userId of ['2', '404']) {
        expect((await call(site, 'activities.create', { userId, activity: { title: 'x' } })).error?.code).toBe(403);
      }
    });
  });

  describe('AppData', () => {
    test('update and create write, and answer {} (contract §3, §8)', async () => {
      const site = await openVillage();
      expect(await call(site, 'appdata.update', { data: { a: '1', b: '2' } })).toEqual({ id: 'x', data: {} });
      expect(await call(site, 'appdata.create', { appdata: { b: '3', ['__proto__']: 'data' } })).toEqual({
        id: 'x',
        data: {},
      });
      const { data } = await call(site, 'appdata.get');
      expect(JSON.stringify(data)).toBe('{"1":{"__proto__":"data","a":"1","b":"3"}}');
    });

    test('nothing stored is {"<id>":{}} for one and {} for friends, never null (contract §3, §8)', async () => {
      const site = await openVillage();
      expect((await call(site, 'appdata.get')).data).toEqual({ '1': {} });
      expect((await call(site, 'appdata.get', { groupId: '@friends' })).data).toEqual({});
    });

    test('keys and fields name keys, "*" is every key (contract §2, §8)', async () => {
      const site = await openVillage();
      await call(site, 'appdata.update', { data: { a: '1', b: '2', c: '3' } });
      const read = async (params: object) => (await call(site, 'appdata.get', params)).data?.['1'];
      expect(await read({ keys: ['a', 'c'] })).toEqual({ a: '1', c: '3' });
      expect(await read({ fields: 'a' })).toEqual({ a: '1' });
      expect(await read({ keys: ['a'], fields: 'b' })).toEqual({ a: '1', b: '2' });
      expect(await read({ keys: '*' })).toEqual({ a: '1', b: '2', c: '3' });
      expect(await read({ keys: null })).toEqual({ a: '1', b: '2', c: '3' });
    });

    test('delete takes keys or fields; "*" is all; neither, or an empty list, is 400 (contract §8)', async () => {
      const site = await openVillage();
      const data = { a: '1', b: '2', c: '3', d: '4' };
      await call(site, 'appdata.update', { data });
      for (const params of [
        {},
        { keys: [] },
        { fields: '' },
        { keys: null, fields: null },
        { keys: [], fields: [] },
        { keys: '@all' },
      ]) {
        expect((await call(site, 'appdata.delete', params)).error?.code, JSON.stringify(params)).toBe(400);
      }
      expect((await call(site, 'appdata.get')).data).toEqual({ '1': data });
      expect((await call(site, 'appdata.delete', { keys: ['a', 'nothing'] })).data).toEqual({});
      await call(site, 'appdata.delete', { fields: 'b' });
      expect((await call(site, 'appdata.get')).data).toEqual({ '1': { c: '3', d: '4' } });
      expect((await call(site, 'appdata.delete', { keys: '*' })).data).toEqual({});
      expect((await call(site, 'appdata.get')).data).toEqual({ '1': {} });
    });

    test('the AppData rules are those of REST: 403 and 404 (contract §4)', async () => {
      const site = await openVillage();
      const code = async (method: string, params: object, key?: string) =>
        (await call(site, method, params, key === undefined ? {} : { key })).error?.code;
      expect(await code('appdata.get', { userId: '2' })).toBe(undefined);
      expect(await code('appdata.get', { userId: '3' })).toBe(403); // no friend
      expect(await code('appdata.get', { userId: '5' })).toBe(403); // without the app
      expect(await code('appdata.get', { userId: '4' })).toBe(404); // has blocked
      expect(await code('appdata.get', { appId: 'photos' })).toBe(403);
      expect(await code('appdata.get', {}, 'member-1')).toBe(403);
      expect(await code('appdata.update', { userId: '2', data: { k: 'v' } })).toBe(403);
      expect(await code('appdata.delete', { userId: '2', keys: '*' })).toBe(403);
      expect(await code('appdata.update', { data: { k: 'v' } }, 'photos-container')).toBe(403);
      expect(await code('appdata.update', { appId: 'notes', data: { k: 'v' } })).toBe(undefined);
    });

    test('calls of a batch are made in order: a read sees the write before it', async () => {
      const site = await openVillage();
      const { json } = await rpc(site, [
        { method: 'appdata.update', params: { data: { k: '1' } } },
        { method: 'appdata.get' },
        { method: 'appdata.delete', params: { keys: '*' } },
        { method: 'appdata.get' },
      ]);
      expect(json.map(({ data }) => data)).toEqual([{}, { '1': { k: '1' } }, {}, { '1': {} }]);
    });
  });

  describe('albums', () => {
    async function openAlbums(): Promise<Site> {
      const site = await openVillage();
      const albums = [
        { id: 'a2', ownerId: '2', title: 'Boats', visibility: 'site' },
        { id: 'a10', ownerId: '2', title: 'Friends', visibility: 'friends' },
        { id: 'a3', ownerId: '2', title: 'Private', visibility: 'private' },
        { id: 'd1', ownerId: '3', title: "Di's", visibility: 'site' },
        { id: 'e1', ownerId: '4', title: "Ed's", visibility: 'site' },
      ];
      const mediaItems = [
        { id: 'm9', albumId: 'a2', visibility: 'private', file: 'red.jpg' },
        { id: 'm10', albumId: 'a2', file: 'red.jpg' },
        { id: 'm11', albumId: 'a10', file: 'blue.png' },
        { id: 'm2', albumId: 'a10', visibility: 'friends', file: 'blue.png' },
        { id: 'm12', albumId: 'a3', file: 'blue.png' },
        { id: 'd2', albumId: 'd1', file: 'blue.png' },
        { id: 'e2', albumId: 'e1', file: 'blue.png' },
      ];
      await site.add({ albums, mediaItems }, await imageFolder());
      return site;
    }

    test('albums of a member and of friends (contract §6)', async () => {
      const site = await openAlbums();
      expect(ids((await call(site, 'albums.get', { userId: '2' })).data)).toEqual(['a2', 'a10']);
      expect(ids((await call(site, 'albums.get', { groupId: '@friends' })).data)).toEqual(['a2', 'a10']);
      expect((await call(site, 'albums.get')).data).toMatchObject({ list: [], totalResults: 0 });
    });

    test('mediaItems.get, also written mediaitems.get, with albumId is about that album (contract §8)', async () => {
      const site = await openAlbums();
      expect(ids((await call(site, 'mediaItems.get', { userId: '2', albumId: 'a10' })).data)).toEqual(['m2', 'm11']);
      expect(ids((await call(site, 'mediaitems.get', { userId: '2', albumId: 'a2' })).data)).toEqual(['m10']);
      for (const albumId of ['a3', 'd1', '@all', 'nothing', 'a/b']) {
        expect((await call(site, 'mediaItems.get', { userId: '2', albumId })).error?.code, albumId).toBe(404);
      }
    });

    test('without albumId it covers all visible albums, and nothing that the viewer may not see (contract §8)', async () => {
      const site = await openAlbums();
      const seen = async (as: string, params: object = { userId: '2' }) =>
        (await call(site, 'mediaItems.get', params, { as })).data;
      expect(ids(await seen('1'))).toEqual(['m2', 'm10', 'm11']);
      expect(await seen('5')).toMatchObject({ list: [{ id: 'm10' }], totalResults: 1 });
      expect(ids(await seen('2'))).toEqual(['m2', 'm9', 'm10', 'm11', 'm12']);
      expect(ids(await seen('2', {}))).toEqual(['m2', 'm9', 'm10', 'm11', 'm12']);
      expect(await seen('1', { userId: '2', count: 1, startIndex: 1 })).toMatchObject({
        list: [{ id: 'm10', albumId: 'a2' }],
        startIndex: 1,
        totalResults: 3,
        itemsPerPage: 1,
      });
      expect(ids(await seen('1', { userId: ['3', '2', '4', '404'] }))).toEqual(['d2', 'm2', 'm10', 'm11']);
      expect((await call(site, 'mediaItems.get', { userId: '4' })).error?.code).toBe(404);
      expect((await call(site, 'mediaItems.get', { groupId: '@friends' })).error?.code).toBe(404);
    });

    test('in REST, @all names no album (contract §4)', async () => {
      const site = await openAlbums();
      expect((await site.get('/mediaitems/2/@self/@all')).status).toBe(404);
    });
  });
});
