import type { ProxyObserver } from '@gantry/proxy';
import { sql, unseal } from '@gantry/store';
import type { Instance } from '@gantry/wire';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { registerApp } from '../../proxy/test/register-app.ts';
import { createLab, createRecord, type Entry, type Lab } from '../src/index.ts';
import { observeProxy } from '../src/observe-proxy.ts';
import { app, openPage, small, url } from './page.ts';

let lab: Lab;
let entries: readonly Entry[];
const instances: Instance[] = [];
const nonces: string[] = [];
let count = 0;

/**
 * Fresh bytes whose every use is known: what a lab gets as chance are its keys, nonces and tokens.
 */
function watched(bytes: number): Uint8Array {
  const chunk = Buffer.alloc(bytes);
  for (let at = 0; at < bytes; at += 4)
    chunk.writeUInt32BE((0x9e3779b1 * ++count) >>> 0, Math.max(0, Math.min(at, bytes - 4)));
  if (bytes === 16) nonces.push(chunk.toString('hex'));
  return chunk;
}

beforeAll(async () => {
  lab = await createLab({
    url,
    apps: [app],
    world: small,
    random: (bytes) => (bytes < 4 ? new Uint8Array(bytes) : watched(bytes)),
  });
  const { calls, faults, clock, permissions } = lab;
  for (const persona of ['eva', 'finn', undefined]) {
    const page = openPage(lab, persona);
    instances.push(await page.mount());
    await page.call('people.get', { userId: '@viewer', groupId: '@friends', fields: ['birthday'] });
    await page.call('people.get', { userId: '@viewer', groupId: '@friends', fields: ['birthday'] });
    await page.call('activities.create', { activity: { title: 'one' } });
    await page.call('activities.create', { activity: { title: 'too soon' } });
    await page.call('appdata.update', { data: { key: 'value' } });
    await page.call('people.frobnicate');
    calls.once('activities.get', (call) => call.fail(502));
    await page.call('activities.get');
    faults.once('appdata.get').dropReply();
    await page.call('appdata.get').catch(() => undefined);
    await page.post('/gantry/calls', { tokens: { i: 'forged.token.x' }, calls: [] });
    await page.post('/gantry/instances', [], { origin: 'https://evil.example' });
    clock.jump(3_600_000);
    await page.call('people.get'); // its token expired
  }
  await permissions.set('none');
  await openPage(lab, 'eva').call('people.get');
  // An app whose key the site does not know: its answer quotes what was signed.
  await registerApp(lab.gantry.stores.db, lab.gantry.stores.secretKey, {
    ...{ id: 'stranger', folder: app.folder, trusted: true },
    ...{
      manifest: { name: 'S', page: 'index.html', uses: ['people.get'] },
      consumerKey: 'unknown-key',
      consumerSecret: 'unknown-secret',
    },
  });
  const [answer] = await (await openPage(lab, 'eva').post('/gantry/instances', [{ app: 'stranger' }])).json();
  const { instance, token } = answer.ok;
  instances.push(answer.ok);
  await openPage(lab, 'eva').post('/gantry/calls', {
    tokens: { [instance]: token },
    calls: [{ id: 'c', instance, operation: 'people.get', params: {} }],
  });
  entries = lab.record.entries;
});
afterAll(() => lab.close());

/** Every secret of the lab, in each way in which bytes are written. */
async function secrets(): Promise<readonly string[]> {
  const { db, secretKey, tokenKeys } = lab.gantry.stores;
  const bytes = [secretKey, ...tokenKeys.map(({ key }) => key)].map((key) => Buffer.from(key));
  const rows = await db.query<{ id: string; consumer_key: string; consumer_secret: string }>(
    sql`select id, consumer_key, consumer_secret from app_registrations`,
  );
  const consumers = await db.query<{ sealed_secret: string }>(sql`select sealed_secret from consumer`);
  const texts = [
    ...rows.flatMap(({ consumer_key: key, consumer_secret: sealed }) => [key, sealed]),
    ...rows.map(({ id, consumer_secret: sealed }) => unseal(secretKey, sealed, `app/${id}`)),
    ...consumers.map(({ sealed_secret: sealed }) => sealed),
    ...instances.flatMap(({ token, since = token }) => [token, token.split('.')[2] as string, since]),
    ...nonces,
  ];
  return [...bytes.flatMap((one) => ['hex', 'base64', 'base64url'].map((as) => one.toString(as as 'hex'))), ...texts];
}

test('no secret, token, nonce or key of a lab is in its record (security rule 8)', async () => {
  const text = JSON.stringify(entries);
  const leaks = (await secrets()).filter((secret) => text.includes(secret));
  expect(leaks).toEqual([]);
  expect(text).not.toMatch(/(?<!x)oauth_|authorization|gadget\+jwt|eyJ[\w-]{10}/i);
  expect((await secrets()).length).toBeGreaterThan(30);
  expect((await secrets()).every((secret) => secret.length >= 8)).toBe(true);
});

test('the record has everything that happened: requests, cache, refusals, faults and the clock', () => {
  const kinds = Map.groupBy(entries, ({ kind }) => kind);
  expect([...kinds.keys()].sort()).toEqual(['cache', 'clock', 'fault', 'refusal', 'upstream']);
  expect(kinds.get('upstream')).toContainEqual(
    expect.objectContaining({
      lab: 'lab',
      app: 'zettel',
      operation: 'people.getFriends',
      method: 'GET',
      status: 200,
      target: expect.stringMatching(/^\/social\/rest\/people\/eva\/%40friends\?.*xoauth_requestor_id=eva$/),
    }),
  );
  const reasons = (kinds.get('refusal') ?? []).map((entry) => 'error' in entry && entry.error?.data?.reason);
  expect(new Set(reasons)).toEqual(
    new Set([
      'RATE_LIMITED',
      'NOT_IMPLEMENTED',
      'UPSTREAM_FAILED',
      'FORBIDDEN',
      'TOKEN_EXPIRED',
      'NOT_GRANTED',
      'UNAUTHORIZED',
    ]),
  );
  expect(kinds.get('clock')).toHaveLength(3);
  expect(new Set(kinds.get('fault')?.map((entry) => 'fault' in entry && entry.fault))).toEqual(
    new Set(['fail', 'dropReply']),
  );
});

test('a secret that the proxy passed to its observer would be found (the control)', () => {
  const record = createRecord();
  const naive = observeProxy({ record, lab: 'naive', now: Date.now });
  const attempt = {
    outcome: 'answered',
    seconds: 0,
    operation: 'people.getSelf',
    method: 'GET',
    requestor: 'eva',
  } as const;
  const target = `/people/eva/@self?oauth_nonce=${nonces[0]}`;
  (naive.attempt as ProxyObserver['attempt'])({ ...attempt, target });
  expect(JSON.stringify(record.entries)).not.toContain(nonces[0]);
  record.add({ kind: 'upstream', method: 'GET', target, status: 200, tookMs: 1, lab: 'naive' });
  expect(JSON.stringify(record.entries)).toContain(nonces[0]);
});
