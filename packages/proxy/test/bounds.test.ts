import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkManifest, readManifest } from '@gantry/proxy';
import { expect, test } from 'vitest';
import { folderForTest } from '../../wire/test/temporary-folder.ts';
import { openAppFile } from '../src/apps/app-files.ts';
import { openSite } from './site.ts';

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const tokens = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`i${index}`, 'x']));
const tooManyTokens = {
  error: {
    code: 400,
    message: 'The body: tokens must be an object of at most 200 tokens',
    data: { reason: 'BAD_REQUEST' },
  },
};

test('a body of calls or events has at most 200 tokens (contract §8, security rule 25)', async () => {
  const site = await openSite();
  expect((await site.post('/gantry/calls', { tokens: tokens(200), calls: [] })).status).toBe(200);
  for (const path of ['/gantry/calls', '/gantry/events']) {
    const answer = await site.post(path, { tokens: tokens(201), calls: [], since: ['x'] });
    expect([answer.status, await answer.json()]).toEqual([400, tooManyTokens]);
  }
});

test('the body of an anonymous request for a stream or a decision is not read (security rule 25)', async () => {
  const site = await openSite();
  const { instance, token, since } = await site.mount({ app: 'friends' });
  site.viewer = undefined;
  for (const pageTokens of [{ [instance]: token }, tokens(200)]) {
    const answer = await site.post('/gantry/events', { tokens: pageTokens, since: [since ?? 'x'] });
    expect([answer.status, await answer.json()]).toMatchObject([
      401,
      { error: { data: { reason: 'VIEWER_CHANGED' } } },
    ]);
  }
  for (const path of ['/gantry/events', '/gantry/grants']) expect((await site.post(path, 'no JSON')).status).toBe(401);
  site.viewer = '7'; // the positive control
  for (const path of ['/gantry/events', '/gantry/grants']) expect((await site.post(path, 'no JSON')).status).toBe(400);
});

test('a call without a member is not resolved (security rule 25)', async () => {
  const site = await openSite();
  site.viewer = undefined;
  const gadget = await site.mount({ app: 'friends' });
  const call = { id: 'a', instance: gadget.instance, operation: 'people.get', params: { ['%25'.repeat(90)]: 1 } };
  expect((await site.call([call], [gadget])).get('a')).toMatchObject({ error: { code: 401 } });
  site.viewer = '7'; // the positive control
  const membersGadget = await site.mount({ app: 'friends' });
  expect((await site.call([{ ...call, instance: membersGadget.instance }], [membersGadget])).get('a')).toMatchObject({
    error: { code: 400 },
  });
});

test('a call that is refused for what it asks counts against the rate (security rule 25)', async () => {
  const site = await openSite({ callsPerMinute: 1 });
  const gadget = await site.mount({ app: 'friends' });
  const call = { id: 'a', instance: gadget.instance, operation: 'people.get', params: { count: 'many' } };
  expect((await site.call([call], [gadget])).get('a')).toMatchObject({ error: { code: 400 } });
  expect((await site.call([call], [gadget])).get('a')).toMatchObject({ error: { code: 429 } });
});

test('AppData that is too deep is a 400, and nothing goes upstream (security rule 25)', async () => {
  const sent: string[] = [];
  const site = await openSite({
    upstream: async ({ url }) => {
      sent.push(url);
      return { status: 200, text: '{}' };
    },
  });
  const gadget = await site.mount({ app: 'friends' });
  const data = `{"a":${nested(100_000)}}`;
  const call = { id: 'a', instance: gadget.instance, operation: 'appdata.update', params: { data } };
  expect((await site.call([call], [gadget])).get('a')).toMatchObject({ error: { code: 400 } });
  expect(sent).toEqual([]);
});

test("an upstream's answer that is too deep is UPSTREAM_FAILED (security rule 25)", async () => {
  const site = await openSite({ upstream: async () => ({ status: 200, text: `{"entry":${nested(100_000)}}` }) });
  const gadget = await site.mount({ app: 'friends' });
  const call = { id: 'a', instance: gadget.instance, operation: 'people.get', params: {} };
  expect((await site.call([call], [gadget])).get('a')).toMatchObject({
    error: { code: 502, data: { reason: 'UPSTREAM_FAILED' } },
  });
});

const friends = { name: 'Friends', page: 'index.html' };

test('a manifest has at most 65,536 bytes, 64 levels and 50 views (security rule 25)', async () => {
  const preload = (params: unknown) => ({
    ...friends,
    uses: ['people.get'],
    preload: [{ operation: 'people.get', params }],
  });
  const views = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`canvas.v${index}`, 'index.html']));
  expect(checkManifest(preload({ junk: JSON.parse(nested(60)) })).name).toBe('Friends');
  expect(() => checkManifest(preload({ junk: JSON.parse(nested(61)) }))).toThrow('at most 64 levels deep');
  expect(() => checkManifest(preload({ junk: JSON.parse(nested(400_000)) }))).toThrow('at most 64 levels deep');
  expect(() => checkManifest(preload({ junk: 'x'.repeat(65_536) }))).toThrow('at most 65536 bytes');
  expect(checkManifest({ ...friends, views: views(50) }).name).toBe('Friends');
  expect(() => checkManifest({ ...friends, views: views(51) })).toThrow('views must be at most 50 views');
  const folder = folderForTest();
  await writeFile(join(folder, 'gadget.json'), JSON.stringify(friends).padEnd(65_537));
  await expect(readManifest(folder)).rejects.toThrow('gadget.json must have at most 65536 bytes.');
});

test('a file of an app of more than 64 MiB is not served (security rule 25)', async () => {
  const folder = folderForTest();
  await writeFile(join(folder, 'film.mp4'), 'x');
  const file = await openAppFile(folder, ['film.mp4']);
  await file.close();
  await truncate(join(folder, 'film.mp4'), 64 * 1024 * 1024 + 1);
  await expect(openAppFile(folder, ['film.mp4'])).rejects.toMatchObject({ code: 'TOO_LARGE' });
});
