import type { Observation } from '@gantry/service';
import { openSqlite } from '@gantry/store';
import { beforeEach, expect, test } from 'vitest';
import { rpc } from './rpc-client.ts';
import { openSite, type SignedCall, type Site, send, serviceOf, start, village } from './site.ts';

let seen: Observation[];
let ask: (call: SignedCall) => Promise<unknown>;
let site: Site;

beforeEach(async () => {
  seen = [];
  site = await openSite(async () => openSqlite({ file: ':memory:' }), village);
  const service = await serviceOf(site, { observe: (observation) => seen.push(observation) });
  site = { ...site, service };
  ask = (call) => send(service, { timestamp: start / 1000, key: 'notes-app', ...call });
});

test('each answer is observed once: its row, status, format and the key that was verified', async () => {
  await ask({ path: '/people/@me/@friends' });
  expect(seen).toEqual([
    {
      operation: 'people.getFriends',
      status: 200,
      format: 'json',
      seconds: expect.any(Number),
      reason: undefined,
      consumerKey: 'notes-app',
      isCall: false,
    },
  ]);
});

test.each([
  [{ path: '/people/@me/@self', secret: 'guess' }, 401, 'signature_invalid', 'people.getMe'],
  [{ path: '/people/@me/@self', signed: false }, 401, 'parameter_absent', 'people.getMe'],
  [{ path: '/people/@me/@self', timestamp: 1 }, 401, 'timestamp_refused', 'people.getMe'],
  [{ path: '/people/404/@self' }, 404, 'NOT_FOUND', 'people.getSelf'],
  [{ path: '/people/@me/@all' }, 501, 'NOT_IMPLEMENTED', 'people.getAll'],
  [{ path: '/nothing' }, 404, 'NOT_FOUND', undefined],
] as const)('a refusal is observed with its reason: %j', async (call, status, reason, operation) => {
  await ask(call);
  expect(seen).toMatchObject([{ status, reason, operation }]);
});

test('a nonce that is used again is observed as such (contract §5)', async () => {
  await ask({ path: '/people/@me/@self', nonce: 'once' });
  await ask({ path: '/people/@me/@self', nonce: 'once' });
  expect(seen.map(({ reason }) => reason)).toEqual([undefined, 'nonce_used']);
});

test('a key is observed only once its signature was verified (security rule 8)', async () => {
  await ask({ path: '/people/@me/@self', key: 'made-up', secret: 'guess' });
  expect(seen).toMatchObject([{ consumerKey: undefined }]);
});

test('each call of a request is observed with its row and its outcome, then the request without one (contract §8)', async () => {
  const post = { method: 'activities.create', params: { activity: { title: 'Hello' } } };
  await rpc(site, [
    { method: 'people.get', params: { groupId: '@friends' } },
    { method: 'people.get', params: { userId: '404' } },
    { method: 'appdata.update', params: { data: { 'a b': 'v' } } },
    post,
    post,
    { method: 'albums.create' },
    { method: 'made.up' },
    { method: 'system.listMethods' },
    7,
  ]);
  expect(seen.map(({ operation, status, reason, isCall }) => [operation, status, reason, isCall])).toEqual([
    ['people.getFriends', 200, undefined, true],
    ['people.getSelf', 404, 'NOT_FOUND', true],
    ['appData.update', 400, 'BAD_REQUEST', true],
    ['activities.create', 200, undefined, true],
    ['activities.create', 500, 'POSTED_TOO_SOON', true],
    ['albums.create', 501, 'NOT_IMPLEMENTED', true],
    [undefined, 404, 'NOT_FOUND', true],
    [undefined, 200, undefined, true],
    [undefined, 400, 'BAD_REQUEST', true],
    [undefined, 200, undefined, false],
  ]);
  for (const { format, consumerKey, seconds } of seen) {
    expect([format, consumerKey]).toEqual(['json', 'notes-container']);
    expect(seconds).toBeGreaterThanOrEqual(0);
  }
});

test('a request that is refused as a whole is observed once, and its calls never', async () => {
  await rpc(site, [{ method: 'people.get' }], { as: '404' });
  await rpc(site, '{');
  expect(seen.map(({ status, reason, isCall }) => [status, reason, isCall])).toEqual([
    [401, 'permission_denied', false],
    [400, 'BAD_REQUEST', false],
  ]);
});
