import { createHttpUpstream } from '@gantry/proxy';
import { sql } from '@gantry/store';
import type { Call, CallReply } from '@gantry/wire';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ForeignSite, openForeignSite } from './foreign-site.ts';
import { registerApp } from './register-app.ts';
import { appFolder, consumerOf, openSite, type Site, secretKey, siteUrl } from './site.ts';

let foreign: ForeignSite;
let site: Site;

beforeAll(async () => {
  foreign = await openForeignSite();
});
beforeEach(async () => {
  foreign.received.length = 0;
  site = await openSite({ upstream: createHttpUpstream(), upstreamUrl: foreign.url });
});
afterAll(() => foreign.close());

async function ask(operation: string, params: Call['params'], call: object = {}): Promise<CallReply | undefined> {
  const gadget = await site.mount({ app: 'friends', owner: '8' });
  const replies = await site.call([{ id: 'c', instance: gadget.instance, operation, params, ...call }], [gadget]);
  return replies.get('c');
}

test('a read goes out signed for the viewer, and comes back without the quirks (app surface)', async () => {
  expect(await ask('people.get', { groupId: '@friends', count: 5 })).toEqual({
    id: 'c',
    ok: { list: [{ id: '8', isOwner: true }], startIndex: 0, totalResults: 1, itemsPerPage: 0 },
  });
  expect(foreign.received).toMatchObject([
    {
      method: 'GET',
      target: '/base/rest/people/7/%40friends?count=5&xoauth_requestor_id=7',
      consumerKey: consumerOf('friends').key,
      requestor: '7',
      contentType: undefined,
      body: '',
    },
  ]);
});

test('AppData is written as JSON, read back, and empty as a map', async () => {
  const data = { a: '1', __proto__x: 'y', xoauth_requestor_id: '1', oauth_token: 'data is no parameter' };
  expect(await ask('appdata.update', { data })).toEqual({ id: 'c', ok: {} });
  expect(foreign.received[0]).toMatchObject({
    method: 'POST',
    target: '/base/rest/appData/7/%40self/%40app?xoauth_requestor_id=7',
    contentType: 'application/json',
    body: JSON.stringify(data),
  });
  expect(await ask('appdata.get', {})).toEqual({ id: 'c', ok: { '7': data } });
  expect(await ask('appdata.delete', { keys: '*' })).toEqual({ id: 'c', ok: {} });
  expect(await ask('appdata.get', {})).toEqual({ id: 'c', ok: {} });
});

test('the second post meets the interval as a rate limit', async () => {
  expect(await ask('activities.create', { activity: { title: 'Hi' } })).toEqual({ id: 'c', ok: {} });
  expect(await ask('activities.create', { activity: { title: 'Hi again' } })).toEqual({
    id: 'c',
    error: {
      code: 429,
      message: 'This member posted a moment ago.',
      data: { reason: 'RATE_LIMITED', retryAfter: 30 },
    },
  });
});

test.each([
  ['unknown', 404, 'Error No such member', 'NOT_FOUND'],
  ['huge', 502, 'The answer was larger than 4000000 bytes.', 'UPSTREAM_FAILED'],
  ['away', 502, 'The site answered with a redirect.', 'UPSTREAM_FAILED'],
])('member %s: %i %s', async (userId, code, message, reason) => {
  expect(await ask('people.get', { userId })).toEqual({ id: 'c', error: { code, message, data: { reason } } });
});

test('every request has a nonce of its own', async () => {
  const gadget = await site.mount({ app: 'friends' });
  const calls = Array.from({ length: 20 }, (_, index) => ({
    id: String(index),
    instance: gadget.instance,
    operation: 'people.get',
    params: { userId: `m${index}` },
  }));
  expect((await site.call(calls, [gadget])).size).toBe(20);
  expect(new Set(foreign.received.map(({ nonce }) => nonce)).size).toBe(20);
});

test('two apps are signed with a key each', async () => {
  const friends = await site.mount({ app: 'friends' });
  const notes = await site.mount({ app: 'notes' });
  const calls = [friends, notes].map(({ instance }) => ({
    id: instance,
    instance,
    operation: 'people.get',
    params: {},
  }));
  await site.call(calls, [friends, notes]);
  expect(foreign.received.map(({ consumerKey }) => consumerKey).sort()).toEqual([
    consumerOf('friends').key,
    consumerOf('notes').key,
  ]);
});

test.each([
  'xoauth_requestor_id',
  'XOAuth_Requestor_Id',
  'xoauth%5Frequestor_id',
  'x%6Fauth_requestor_id',
  ' xoauth_requestor_id',
  'oauth_consumer_key',
  'oauth_token',
  'OAUTH_anything',
  'opensocial_viewer_id',
  'opensocial_app_id',
  'OpenSocial_owner_id',
])('an app that names %j is refused, and nothing is sent (security rule 11)', async (name) => {
  const requests: [string, object][] = [
    ['people.get', {}],
    ['appdata.update', { data: { a: '1' } }],
    ['activities.create', { activity: { title: 'Hi' } }],
  ];
  for (const [operation, params] of requests) {
    expect(await ask(operation, { ...params, [name]: '1' })).toMatchObject({
      error: { code: 403, data: { reason: 'FORBIDDEN' } },
    });
  }
  expect(foreign.received).toEqual([]);
  await ask('people.get', {}); // the positive control: without the name it is sent
  expect(foreign.received).toHaveLength(1);
});

test.each([
  ['the call', 'people.get', {}, { viewer: '1', app: 'notes', owner: '1', xoauth_requestor_id: '1', token: 'x' }],
  ['an operation', 'people.get?xoauth_requestor_id=1', {}, {}],
  ['a member id', 'people.get', { userId: '7?xoauth_requestor_id=1' }, {}],
  ['a list of ids', 'people.get', { userId: ['7', '1/@self?xoauth_requestor_id=1'] }, {}],
  ['a path', 'people.get', { userId: '../../../admin' }, {}],
  ['an encoded path', 'people.get', { userId: '%2e%2e/%2e%2e' }, {}],
  ['a selector', 'people.get', { groupId: '@friends?xoauth_requestor_id=1&x=' }, {}],
  ['a person', 'people.get', { personId: '1&xoauth_requestor_id=1' }, {}],
  ['a filter', 'people.get', { groupId: '@friends', filterBy: 'hasApp&xoauth_requestor_id=1' }, {}],
  ['a page', 'people.get', { count: '1&xoauth_requestor_id=1' }, {}],
  ['fields', 'people.get', { fields: ['age&xoauth_requestor_id=1'] }, {}],
  ['an app id', 'appdata.get', { appId: '@app?xoauth_requestor_id=1' }, {}],
  ['keys', 'appdata.get', { keys: ['a&xoauth_requestor_id=1'] }, {}],
  ['an album', 'mediaItems.get', { albumId: '1?xoauth_requestor_id=1' }, {}],
  ['a fragment', 'people.get', { userId: '7#' }, {}],
])('%s cannot carry a member to sign for (security rules 11 and 12)', async (_, operation, params, call) => {
  await ask(operation, params, call);
  for (const { target, requestor, consumerKey } of foreign.received) {
    expect([requestor, consumerKey]).toEqual(['7', consumerOf('friends').key]);
    const { pathname, searchParams } = new URL(target, siteUrl);
    expect(searchParams.getAll('xoauth_requestor_id')).toEqual(['7']);
    expect(pathname.startsWith('/base/rest/')).toBe(true);
  }
});

test('no answer, error or log has a key or a secret (security rule 8)', async () => {
  const upstream = createHttpUpstream();
  const leaky = await openSite({ upstream, upstreamUrl: foreign.url });
  const unsigned = await openSite({ upstream, upstreamUrl: foreign.url, now: () => 0 });
  const badlySigned = {
    id: 'friends',
    folder: await appFolder(),
    manifest: { name: 'Friends', page: 'index.html' },
    consumerKey: consumerOf('friends').key,
    consumerSecret: `${consumerOf('friends').secret}-of-yesterday`,
  };
  await registerApp(unsigned.db, secretKey, badlySigned, { mode: 'update' });
  const failing = await openSite({
    upstream: async (request) => {
      throw new Error(`refused: ${request.headers.authorization} ${consumerOf('friends').secret}`);
    },
  });
  const sealedOtherwise = await openSite();
  await sealedOtherwise.db.query(sql`update app_registrations set consumer_secret = consumer_key`);

  const sites = [leaky, unsigned, failing, sealedOtherwise];
  for (const each of sites) {
    const gadget = await each.mount({ app: 'friends', owner: '8' });
    const { instance, token } = gadget;
    const calls = ['7', 'leak', 'unknown', 'huge', 'away'].map((userId) => ({
      id: userId,
      instance,
      operation: 'people.get',
      params: { userId },
    }));
    await each.post('/gantry/calls', { tokens: { [instance]: token }, calls });
    await each.post('/gantry/calls', { tokens: { [instance]: `${token}x` }, calls });
    await each.post('/gantry/calls', { tokens: 1 });
    await each.get('/gantry/apps/friends/index.html');
    await each.get('/gantry/apps/friends/missing.html');
    await each.get('/gantry/osapi.js');
  }
  const secrets = /[cs][ks]-friends|0815|4711|oauth_/;
  const seen = await Promise.all(sites.flatMap((each) => each.seen));
  expect(seen).toHaveLength(4 * 7);
  expect([...seen, ...sites.flatMap((each) => each.logged)].filter((text) => secrets.test(text))).toEqual([]);
  expect(failing.logged).toContain("upstream failed { app: 'friends', operation: 'people.get', kind: 'Error' }");
  // The positive control: all of it did come this way.
  expect(foreign.received.map(({ authorization }) => authorization).join()).toMatch(secrets);
});
