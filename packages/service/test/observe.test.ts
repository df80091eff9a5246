import { createService, type Observation } from '@gantry/service';
import { openSqlite } from '@gantry/store';
import { beforeEach, expect, test } from 'vitest';
import { newNonces, openSite, publicUrl, type SignedCall, secretKey, send, start, village } from './site.ts';

let seen: Observation[];
let ask: (call: SignedCall) => Promise<unknown>;

beforeEach(async () => {
  seen = [];
  const { db, mediaFolder } = await openSite(async () => openSqlite({ file: ':memory:' }), village);
  const service = await createService({
    db,
    nonces: await newNonces(),
    publicUrl,
    secretKey,
    mediaFolder,
    now: () => start,
    observe: (observation) => seen.push(observation),
  });
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
