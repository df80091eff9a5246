import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signRequest } from '@gantry/oauth';
import { createServiceUpstream } from '@gantry/proxy';
import { createService, importWorld, openNonceLog, type Service, serviceMigrations } from '@gantry/service';
import { migrate, sql } from '@gantry/store';
import type { Call, CallReply, UnsignedRead } from '@gantry/wire';
import { beforeAll, expect, test } from 'vitest';
import { consumerOf, openSite, type Site, secretKey, siteUrl } from '../site.ts';

// The proxy before the real service, in one process over one database, as `createGantry` runs them.
let service: Service;
let site: Site;
const outcomes: string[] = [];

const world = {
  site: { name: 'Test', publicUrl: siteUrl },
  members: ['7', '8', '9'].map((id) => ({ id, displayName: `Member ${id}` })),
  friendships: [['7', '8']],
  apps: ['friends', 'notes'].map((id) => ({ id, title: id, url: '' })),
  installs: ['friends', 'notes'].flatMap((appId) => ['7', '8'].map((memberId) => ({ appId, memberId }))),
  consumers: ['friends', 'notes'].map((appId) => ({ ...consumerOf(appId), kind: 'app', appId, container: true })),
};

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-service-'));
  site = await openSite({
    upstream: (...args) => createServiceUpstream(service)(...args),
    confirms: (read) => service.confirms(read),
    observe: { attempt() {}, limited() {}, breaker() {}, cache: (outcome) => outcomes.push(outcome) },
  });
  await migrate(site.db, { name: 'service', migrations: serviceMigrations });
  await importWorld(site.db, world, { folder, mediaFolder: folder, secretKey });
  service = await createService({
    db: site.db,
    nonces: await openNonceLog(await mkdtemp(join(tmpdir(), 'gantry-nonces-'))),
    publicUrl: siteUrl,
    secretKey,
    mediaFolder: folder,
    now: () => site.nowMs,
  });
});

async function ask(
  app: string,
  operation: string,
  params: Call['params'],
  owner = '7',
): Promise<CallReply | undefined> {
  const gadget = await site.mount({ app, owner });
  return (await site.call([{ id: 'c', instance: gadget.instance, operation, params }], [gadget])).get('c');
}

test("a friends list comes from the service, as the viewer may see it, with the page's owner", async () => {
  expect(await ask('friends', 'people.get', { groupId: '@friends' }, '8')).toEqual({
    id: 'c',
    ok: {
      list: [
        {
          id: '8',
          isOwner: true,
          isViewer: false,
          hasApp: true,
          displayName: 'Member 8',
          thumbnailUrl: '',
          profileUrl: expect.stringMatching(/^http:\/\/site\.example\//),
        },
      ],
      startIndex: 0,
      totalResults: 1,
      itemsPerPage: 20,
    },
  });
});

test('a note is written, read, kept from the other app, and deleted', async () => {
  expect(await ask('notes', 'appdata.get', {})).toEqual({ id: 'c', ok: { '7': {} } });
  expect(await ask('notes', 'appdata.update', { data: { a: 1, b: 'zwei & drei' } })).toEqual({ id: 'c', ok: {} });
  expect(await ask('notes', 'appdata.get', {})).toEqual({ id: 'c', ok: { '7': { a: '1', b: 'zwei & drei' } } });
  expect(await ask('friends', 'appdata.get', {})).toEqual({ id: 'c', ok: { '7': {} } });
  expect(await ask('friends', 'appdata.get', { appId: 'notes' })).toMatchObject({ error: { code: 403 } });
  expect(await ask('notes', 'appdata.delete', { keys: ['a'] })).toEqual({ id: 'c', ok: {} });
  expect(await ask('notes', 'appdata.get', { userId: '@owner' })).toEqual({
    id: 'c',
    ok: { '7': { b: 'zwei & drei' } },
  });
});

test('a post is answered, and the next one is refused with retryAfter (app surface)', async () => {
  const post = (title: string) => ask('friends', 'activities.create', { activity: { title } });
  expect(await post('Hi')).toEqual({
    id: 'c',
    ok: { id: expect.any(String), userId: '7', title: 'Hi', postedTime: '2026-01-01T00:00:00+00:00' },
  });
  site.nowMs += 10_000;
  expect(await post('Hi again')).toMatchObject({
    error: { code: 429, data: { reason: 'RATE_LIMITED', retryAfter: 20 } },
  });
  site.nowMs += 20_000;
  expect(await post('Hi again')).toMatchObject({ ok: { title: 'Hi again' } });
});

test("the service's errors keep number and word", async () => {
  expect(await ask('friends', 'people.get', { userId: '404' })).toMatchObject({
    error: { code: 404, data: { reason: 'NOT_FOUND' } },
  });
  expect(await ask('notes', 'appdata.update', { userId: '8', data: { a: 1 } })).toMatchObject({
    error: { code: 403, data: { reason: 'FORBIDDEN' } },
  });
  expect(await ask('notes', 'appdata.update', { data: { 'not a key': 1 } })).toMatchObject({
    error: { code: 400, data: { reason: 'BAD_REQUEST' } },
  });
});

test('every id that a path can hold is signed as it is sent (security rule 12)', async () => {
  for (const userId of ['a.b', 'a:b', 'a_b-c', '...', 'x'.repeat(64)]) {
    expect(await ask('friends', 'people.get', { userId })).toMatchObject({ error: { code: 404 } }); // not 401
  }
  expect(await ask('friends', 'people.get', { userId: ['7', '8', '9'] })).toMatchObject({ ok: { totalResults: 3 } });
});

test("each viewer's calls are answered for that viewer", async () => {
  const mounted = [];
  for (const viewer of ['7', '8', '9']) {
    site.viewer = viewer;
    mounted.push({ viewer, gadget: await site.mount({ app: 'friends' }) });
  }
  for (const { viewer, gadget } of mounted) {
    site.viewer = viewer;
    const calls = Array.from({ length: 20 }, (_, index) => ({
      id: String(index),
      instance: gadget.instance,
      operation: 'people.get',
      params: {},
    }));
    const replies = await site.call(calls, [gadget]);
    expect([...replies.values()].map((reply) => 'ok' in reply && (reply.ok as { id: string }).id)).toEqual(
      Array(20).fill(viewer),
    );
  }
  site.viewer = '7';
});

test('a cached reply is validated without a signed request, until its data changes', async () => {
  const read = () => ask('notes', 'appdata.get', {});
  await ask('notes', 'appdata.update', { data: { tide: 'low' } });
  outcomes.length = 0;
  const first = await read();
  expect(await read()).toEqual(first);
  expect(outcomes).toEqual(['asked', 'confirmed']);
  await ask('notes', 'appdata.update', { data: { tide: 'high' } });
  expect(await read()).toMatchObject({ ok: { '7': { tide: 'high' } } });
  expect(outcomes).toEqual(['asked', 'confirmed', 'asked']);
});

test('a key that is no container, or was revoked, confirms and reads nothing unsigned (security rule 14)', async () => {
  const rawTarget = '/social/rest/people/7/%40self?xoauth_requestor_id=7';
  const answer = await createServiceUpstream(service)(
    {
      method: 'GET',
      url: `${siteUrl}${rawTarget}`,
      rawTarget,
      headers: { authorization: signed(`${siteUrl}${rawTarget}`) },
    },
    { deadlineMs: 1_000 },
  );
  const read = { rawTarget, consumerKey: consumerOf('friends').key, requestorId: '7', etag: answer.etag ?? '' };
  const isRead = async (changed: Partial<UnsignedRead>) =>
    (await service.answerUnsigned({ ...read, ...changed })) !== undefined;
  expect(await service.answerUnsigned(read)).toMatchObject({ status: 304 });
  expect(await service.answerUnsigned({ ...read, etag: undefined })).toMatchObject({ status: 200, body: answer.text });
  expect(await isRead({ requestorId: 'nobody' })).toBe(false);
  expect(await isRead({ consumerKey: 'unknown' })).toBe(false);
  expect(await isRead({ rawTarget: '/elsewhere' })).toBe(false);
  expect(await service.confirms(read)).toBe(true);
  expect(await service.confirms({ ...read, etag: '"another"' })).toBe(false);
  expect(await service.confirms({ ...read, requestorId: '8' })).toBe(false);
  expect(await service.confirms({ ...read, consumerKey: 'unknown' })).toBe(false);
  expect(await service.confirms({ ...read, rawTarget: '/elsewhere' })).toBe(false);
  await site.db.query(sql`update consumer set container = 0 where key = ${consumerOf('friends').key}`);
  expect(await service.confirms(read)).toBe(false);
  expect(await isRead({})).toBe(false);
  await site.db.query(sql`update consumer set container = 1 where key = ${consumerOf('friends').key}`);
});

function signed(url: string): string {
  return signRequest({
    method: 'GET',
    url,
    consumer: consumerOf('friends'),
    timestamp: Math.floor(site.nowMs / 1000),
    nonce: 'confirms',
  }).authorization;
}
