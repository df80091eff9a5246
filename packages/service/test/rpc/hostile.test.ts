import { sql } from '@gantry/store';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { databases } from '../databases.ts';
import { call, rpc } from '../rpc-client.ts';
import { openSite, village } from '../site.ts';

const word = fc.oneof(
  fc.constantFrom(
    '@me',
    '@self',
    '@friends',
    '@friend',
    '@all',
    '@app',
    '@viewer',
    '1',
    '2',
    '4',
    '404',
    '1,2',
    'notes',
    'a1',
  ),
  fc.constantFrom('', '*', ',', '0', '-1', '1e3', '__proto__', 'constructor', "';--", '\0', 'a/b', '..', 'k', '😀'),
  fc.string({ unit: 'binary', maxLength: 8 }).filter((text) => text.isWellFormed()),
);
const value = fc.oneof({ depthSize: 'small' }, word, fc.array(word, { maxLength: 3 }), fc.integer(), fc.jsonValue());
const name = fc.constantFrom(
  ...['userId', 'groupId', 'personId', 'pid', 'appId', 'activityId', 'albumId', 'mediaItemId', 'count', 'startIndex'],
  ...['fields', 'keys', 'filterBy', 'data', 'appdata', 'activity', 'xoauth_requestor_id', '__proto__', 'id', 'format'],
);
const activity = fc.record({ title: value, url: value }, { requiredKeys: [] });
const data = fc.dictionary(fc.oneof(word, fc.constant('k')), value, { maxKeys: 3 });
const params = fc.oneof(
  { weight: 6, arbitrary: fc.dictionary(name, value, { maxKeys: 4 }) },
  { weight: 2, arbitrary: fc.record({ activity, data, userId: value }, { requiredKeys: [] }) },
  { weight: 1, arbitrary: value },
);
const method = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.constantFrom(
      ...['people.get', 'activities.get', 'activities.create', 'appdata.get', 'appdata.update', 'appdata.create'],
      ...['appdata.delete', 'albums.get', 'mediaItems.get', 'mediaitems.get', 'albums.create', 'system.listMethods'],
    ),
  },
  { weight: 1, arbitrary: value },
);
const calls = fc.array(fc.oneof({ weight: 9, arbitrary: fc.record({ method, params, id: value }) }, value), {
  minLength: 5,
  maxLength: 30,
});
const expected = [-32601, 400, 403, 404, 413, 501, 503]; // 413: too deep into a list over several members

describe.each(databases)('hostile JSON-RPC on $name', ({ open }) => {
  test('calls with any parameters are answered or refused, never a fault (security rule 18, contract §8)', async () => {
    const site = await openSite(open, village);
    await fc.assert(
      fc.asyncProperty(calls, async (items) => {
        const { status, json } = await rpc(site, items);
        site.nowMs += 30_000;
        expect([status, json.length]).toEqual([200, items.length]);
        for (const reply of json) {
          if (reply.error) expect(expected, JSON.stringify(reply)).toContain(reply.error.code);
          else expect(reply.data).toBeTypeOf('object');
          expect(reply.data).not.toBeNull();
        }
      }),
      { numRuns: 300 },
    );
  });

  test('the check above would see a fault (positive control)', async () => {
    const site = await openSite(open, village);
    await site.db.query(sql`drop table app_data`);
    const { error } = await call(site, 'appdata.get');
    expect(expected).not.toContain(error?.code);
  });

  test('no parameters make a call speak for another member (security rule 11)', async () => {
    const site = await openSite(open, village);
    const named = fc.dictionary(
      fc.oneof(
        fc.constantFrom(
          'xoauth_requestor_id',
          'oauth_token',
          'opensocial_viewer_id',
          'requestor',
          'viewer',
          '__proto__',
        ),
        fc.string({ maxLength: 8 }).map((rest) => `xoauth${rest}`),
      ),
      fc.constantFrom('2', '@me', '4'),
    );
    await fc.assert(
      fc.asyncProperty(named, async (params) => {
        const { json } = await rpc(site, { method: 'people.get', params });
        expect(json.data).toMatchObject({ id: '1', isViewer: true });
      }),
      { numRuns: 100 },
    );
    const asBo = await rpc(site, { method: 'people.get' }, { as: '2' }); // the control: what is signed does
    expect(asBo.json.data).toMatchObject({ id: '2', isViewer: true });
  });

  test('a body of any bytes is answered with 200, 400 or 413 (security rule 18)', async () => {
    const site = await openSite(open, village);
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc.json().map((text) => new TextEncoder().encode(text)),
    );
    await fc.assert(
      fc.asyncProperty(bytes, async (body) => {
        expect([200, 400]).toContain((await rpc(site, body)).status);
      }),
      { numRuns: 500 },
    );
  });
});
