import { removeApp, type UpstreamAnswer } from '@gantry/proxy';
import type { Call, CallReply, Instance } from '@gantry/wire';
import { expect, test } from 'vitest';
import { openSite, type Site, says } from '../site.ts';

function read({ instance }: Instance, userId = '7', id = 'c'): Call {
  return { id, instance, operation: 'people.get', params: { userId } };
}

async function reply(site: Site, gadget: Instance, change: Partial<Call> = {}): Promise<CallReply | undefined> {
  return (await site.call([{ ...read(gadget), ...change }], [gadget])).get('c');
}

const answered = { id: 'c', ok: { isOwner: false } };
const refused = (reason: string) => ({ id: 'c', error: { code: 401, message: expect.any(String), data: { reason } } });

test('answers are lines of JSON without caching or sniffing', async () => {
  const site = await openSite();
  const gadget = await site.mount({ app: 'friends', owner: '8' });
  const body = { tokens: { [gadget.instance]: gadget.token }, calls: [read(gadget)] };
  const response = await site.post('/gantry/calls', body);
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toEqual({
    'cache-control': 'private, no-cache',
    'content-length': '34',
    'content-type': 'application/x-ndjson; charset=utf-8',
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  });
  expect(await response.text()).toBe('{"id":"c","ok":{"isOwner":false}}\n');
});

test('a token that has expired, or was made for another member, says so (security rule 9)', async () => {
  const site = await openSite();
  const gadget = await site.mount({ app: 'friends' });
  expect(await reply(site, gadget)).toEqual(answered);

  site.viewer = '9';
  expect(await reply(site, gadget)).toEqual(refused('VIEWER_CHANGED'));
  site.viewer = undefined;
  expect(await reply(site, gadget)).toEqual(refused('VIEWER_CHANGED'));

  site.viewer = '7';
  site.nowMs += 599_000;
  expect(await reply(site, gadget)).toEqual(answered);
  site.nowMs += 1_000;
  expect(await reply(site, gadget)).toEqual(refused('TOKEN_EXPIRED'));
});

test("a visitor's token does not become a member's", async () => {
  const site = await openSite();
  site.viewer = undefined;
  const gadget = await site.mount({ app: 'friends', owner: '8' });
  site.viewer = '7';
  expect(await reply(site, gadget)).toEqual(refused('VIEWER_CHANGED'));
});

test('a token speaks for its own instance only (security rule 9)', async () => {
  const site = await openSite();
  const friends = await site.mount({ app: 'friends' });
  const notes = await site.mount({ app: 'notes' });
  const swapped = await site.call([read(friends)], [{ ...friends, token: notes.token }]);
  expect(swapped.get('c')).toEqual(refused('UNAUTHORIZED'));
  expect((await site.call([read(friends)], [notes])).get('c')).toEqual(refused('UNAUTHORIZED'));
  expect((await site.call([read(friends)], [friends, notes])).get('c')).toEqual(answered);
});

test('without a signed-in member every call is a 401, and nothing is sent (contract §5)', async () => {
  const targets: string[] = [];
  const site = await openSite({
    upstream: async ({ rawTarget: target }) => {
      targets.push(target);
      return says({ entry: {} });
    },
  });
  site.viewer = undefined;
  const gadget = await site.mount({ app: 'friends', owner: '8' });
  for (const userId of ['@viewer', '@me', '@owner', '8']) {
    expect(await reply(site, gadget, { params: { userId } })).toEqual(refused('UNAUTHORIZED'));
  }
  expect(targets).toEqual([]);
});

test('an unimplemented operation is a 501 without a request (app surface)', async () => {
  const targets: string[] = [];
  const site = await openSite({
    upstream: async ({ rawTarget: target }) => {
      targets.push(target);
      return says({ entry: {} });
    },
  });
  const gadget = await site.mount({ app: 'friends' });
  for (const operation of [
    'people.steal',
    'people.update',
    'albums.create',
    '__proto__',
    'constructor',
    'people.getSelf',
  ]) {
    expect(await reply(site, gadget, { operation })).toMatchObject({
      error: { code: 501, data: { reason: 'NOT_IMPLEMENTED' } },
    });
  }
  expect(targets).toEqual([]);
});

test('the upstream in one process gets the very target that was signed (security rule 12)', async () => {
  const seen: unknown[] = [];
  const site = await openSite({
    upstream: async ({ method, url, rawTarget, headers, body }) => {
      seen.push(method, url, rawTarget, Object.keys(headers), body);
      return says({ entry: {} });
    },
  });
  const gadget = await site.mount({ app: 'notes' });
  await reply(site, gadget, { operation: 'appdata.update', params: { data: { a: 1 } } });
  const target = '/social/rest/appData/7/%40self/%40app?xoauth_requestor_id=7';
  const headers = ['authorization', 'accept', 'content-type'];
  expect(seen).toEqual(['POST', `http://site.example${target}`, target, headers, '{"a":"1"}']);
});

test('calls of a removed app are refused', async () => {
  const site = await openSite();
  const gadget = await site.mount({ app: 'friends' });
  await removeApp(site.db, 'friends');
  expect(await reply(site, gadget)).toMatchObject({ error: { code: 404, data: { reason: 'NOT_FOUND' } } });
});

test('each line is sent as soon as it is ready, and one failure leaves the others', async () => {
  const slow = Promise.withResolvers<UpstreamAnswer>();
  const site = await openSite({
    upstream: async ({ rawTarget: target }) => {
      if (target.includes('/slow/')) return slow.promise;
      if (target.includes('/broken/'))
        throw new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }) });
      return says({ entry: { id: '7' } });
    },
  });
  const gadget = await site.mount({ app: 'friends', owner: '8' });
  const calls = [read(gadget, 'slow', 'a'), read(gadget, 'broken', 'b'), read(gadget, '7', 'c')];
  const response = await site.post('/gantry/calls', { tokens: { [gadget.instance]: gadget.token }, calls });
  const lines = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  // Lines that are ready together are one chunk.
  expect((await lines?.read())?.value?.trimEnd().split('\n').toSorted()).toEqual([
    '{"id":"b","error":{"code":502,"message":"The site could not be reached.","data":{"reason":"UPSTREAM_FAILED"}}}',
    '{"id":"c","ok":{"id":"7","isOwner":false}}',
  ]);
  expect(site.logged).toEqual(["upstream failed { app: 'friends', operation: 'people.get', kind: 'ECONNREFUSED' }"]);
  slow.resolve(says({ entry: { id: 'slow' } }));
  expect((await lines?.read())?.value).toBe('{"id":"a","ok":{"id":"slow","isOwner":false}}\n');
});

test('calls of one batch keep their order around a write of the same app', async () => {
  const log: string[] = [];
  const gates = new Map<string, () => void>();
  const site = await openSite({
    upstream: async (request) => {
      const name = request.method === 'POST' ? Object.keys(JSON.parse(request.body ?? '')).join() : 'read';
      log.push(`${name} begins`);
      if (name !== 'read') await new Promise<void>((resolve) => gates.set(name, resolve));
      log.push(`${name} ends`);
      return says({ entry: {} });
    },
  });
  const friends = await site.mount({ app: 'friends' });
  const notes = await site.mount({ app: 'notes' });
  const write = (id: string): Call => ({
    id,
    instance: friends.instance,
    operation: 'appdata.update',
    params: { data: { [id]: '1' } },
  });
  const done = site.call(
    [write('first'), write('second'), read(friends, '7', 'after'), read(notes, '7', 'other')],
    [friends, notes],
  );
  await expect.poll(() => log.toSorted()).toEqual(['first begins', 'read begins', 'read ends']); // the other app's
  gates.get('first')?.();
  await expect.poll(() => log.slice(3)).toEqual(['first ends', 'second begins']);
  gates.get('second')?.();
  await done;
  expect(log.slice(5)).toEqual(['second ends', 'read begins', 'read ends']);
});

test('a write that failed does not hold back the next', async () => {
  const site = await openSite({
    upstream: async (request) => {
      if (request.method === 'POST') throw new Error('gone');
      return says({ entry: { '7': { a: '1' } } });
    },
  });
  const gadget = await site.mount({ app: 'notes' });
  const call = (id: string, operation: string): Call => ({
    id,
    instance: gadget.instance,
    operation,
    params: { data: {} },
  });
  const replies = await site.call([call('w', 'appdata.update'), call('r', 'appdata.get')], [gadget]);
  expect(replies.get('w')).toMatchObject({ error: { code: 502 } });
  expect(replies.get('r')).toEqual({ id: 'r', ok: { '7': { a: '1' } } });
});

test('at most 32 calls of an app are upstream at once', async () => {
  let running = 0;
  let most = 0;
  const site = await openSite({
    upstream: async () => {
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      running--;
      return says({ entry: {} });
    },
  });
  const gadget = await site.mount({ app: 'friends' });
  const calls = Array.from({ length: 500 }, (_, index) => read(gadget, `m${index}`, String(index)));
  expect((await site.call(calls, [gadget])).size).toBe(500);
  expect(most).toBe(32);
});

test('a call that has queued for ten seconds is not sent (security rule 15)', async () => {
  const site = await openSite({
    upstream: async () => {
      site.nowMs += 1_000; // the site is slow
      return says({ entry: {} });
    },
  });
  const gadget = await site.mount({ app: 'notes' });
  const calls = Array.from({ length: 15 }, (_, index) => ({
    id: String(index),
    instance: gadget.instance,
    operation: 'appdata.update',
    params: { data: {} },
  }));
  const replies = await site.call(calls, [gadget]);
  expect([...replies.values()].filter((each) => 'ok' in each)).toHaveLength(11);
  expect(replies.get('14')).toMatchObject({ error: { code: 504, data: { reason: 'TIMED_OUT' } } });
});

test.each([
  ['no list', { tokens: {}, calls: {} }, 'The body: calls must be a list'],
  ['no tokens', { calls: [] }, 'The body: tokens must be an object with tokens and calls'],
  ['a token that is no text', { tokens: { a: 1 }, calls: [] }, 'The body: tokens must be an object of tokens'],
  [
    'a token without end',
    { tokens: { a: 'x'.repeat(5_000) }, calls: [] },
    'The body: tokens must be an object of tokens',
  ],
  [
    '501 calls',
    { tokens: {}, calls: Array(501).fill({ id: 'a', instance: 'i', operation: 'o' }) },
    'The body: calls must be a list of at most 500',
  ],
  [
    'an id twice',
    { tokens: {}, calls: Array(2).fill({ id: 'a', instance: 'i', operation: 'o' }) },
    'The body: calls must be a list of unique ids',
  ],
  [
    'params that are a list',
    { tokens: {}, calls: [{ id: 'a', instance: 'i', operation: 'o', params: [] }] },
    'The body: calls[0].params must be an object',
  ],
  [
    'an id without end',
    { tokens: {}, calls: [{ id: 'a'.repeat(129), instance: 'i', operation: 'o' }] },
    'The body: calls[0].id must be at most 128 characters',
  ],
])('a body with %s is refused in words', async (_, body, message) => {
  const site = await openSite();
  const response = await site.post('/gantry/calls', body);
  expect([response.status, await response.json()]).toEqual([
    400,
    { error: { code: 400, message, data: { reason: 'BAD_REQUEST' } } },
  ]);
});

test('keys rotate while a page is open, and a token expires in the middle of a batch: no call fails (security rule 9)', async () => {
  const key = (id: string, fill: number) => ({ id, key: new Uint8Array(32).fill(fill) });
  let keys = [key('1', 1)];
  const gate = Promise.withResolvers<void>();
  const site = await openSite({
    tokenKeys: keys,
    readTokenKeys: async () => keys,
    upstream: async ({ rawTarget }) => {
      if (rawTarget.includes('/slow/')) await gate.promise;
      return says({ entry: {} });
    },
  });
  const old = await site.mount({ app: 'friends' });
  const batch = site.call([read(old, 'slow', 'a'), read(old, '7', 'b')], [old]);
  keys = [key('2', 2), key('1', 1)];
  site.nowMs += 30_000;
  const renewed = await site.mount({ app: 'friends' }); // as the container does
  const both = await site.call([read(old, '7', 'old'), read(renewed, '7', 'new')], [old, renewed]);
  expect([...both.values()].every((each) => 'ok' in each)).toBe(true);
  site.nowMs += 570_000; // the first token expires during its call
  gate.resolve();
  expect([...(await batch).values()].every((each) => 'ok' in each)).toBe(true);
  expect((await site.call([read(old)], [old])).get('c')).toEqual(refused('TOKEN_EXPIRED')); // the positive control
  expect((await site.call([read(renewed)], [renewed])).get('c')).toMatchObject({ ok: {} });
});
