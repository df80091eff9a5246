import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { InstanceAnswer } from '@gantry/wire';
import { expect, test } from 'vitest';
import { folderForTest } from '../../../wire/test/temporary-folder.ts';
import { registerApp } from '../register-app.ts';
import { openSite, secretKey, siteUrl, writeFiles } from '../site.ts';

const site = await openSite();

test('an instance says all that a page needs to mount a gadget (contract §5)', async () => {
  const instance = await site.mount({ app: 'friends', owner: '8', view: 'canvas' });
  expect(instance).toEqual({
    instance: expect.stringMatching(/^[\w-]{24}$/),
    since: expect.stringMatching(/^v1\.[\w-]+$/),
    token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    expiresIn: 600,
    document: 'http://site.example/gantry/apps/friends/index.html',
    sandbox: 'allow-scripts allow-forms',
    upstream: expect.stringMatching(/^[\w-]{16}$/),
    preload: [{ operation: 'people.get', params: { groupId: '@friends' } }],
    consent: { needed: [], optional: [] },
    revokedAtMs: 0,
    uses: ['people.get', 'activities.get', 'activities.create', 'appdata.get', 'appdata.update', 'appdata.delete'],
    context: {
      app: { id: 'friends', title: 'FRIENDS' },
      viewer: '7',
      owner: '8',
      view: 'canvas',
      views: ['home', 'profile', 'canvas'],
      height: 320,
      operations: [
        'people.get',
        'activities.get',
        'activities.create',
        'appdata.get',
        'appdata.update',
        'appdata.delete',
        'albums.get',
        'mediaItems.get',
      ],
      permissions: [
        'people',
        'activities',
        'activities.post',
        'appdata',
        'appdata.write',
        'host:https://images.example',
      ],
    },
  });
});

test('the owner is the viewer by default', async () => {
  expect((await site.mount({ app: 'friends' })).context).toMatchObject({ viewer: '7', owner: '7', view: 'home' });
});

test('without a signed-in member the token has no viewer (contract §5)', async () => {
  const visited = await openSite({ viewer: async () => undefined });
  const { context } = await visited.mount({ app: 'friends', owner: '8' });
  expect(context).not.toHaveProperty('viewer');
  expect(context.owner).toBe('8');
});

test('the page cannot choose the viewer', async () => {
  const sneaky = { app: 'friends', viewer: '1', token: 'x', instance: 'mine' };
  const instance = await site.mount(sneaky);
  expect(instance.context.viewer).toBe('7');
  expect(instance.instance).not.toBe('mine');
});

test('each slot answers for itself, in order', async () => {
  const response = await site.post('/gantry/instances', [
    { app: 'unknown' },
    { app: 'friends' },
    { app: 'friends', owner: '../1' },
    { app: 'notes', owner: '9' },
    { app: '__proto__' },
  ]);
  const answers = (await response.json()) as InstanceAnswer[];
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(answers.map((answer) => ('ok' in answer ? answer.ok.context.app.id : answer.error))).toEqual([
    { code: 404, message: 'There is no app "unknown".', data: { reason: 'NOT_FOUND' } },
    'friends',
    { code: 400, message: 'The owner must be the id of a member.', data: { reason: 'BAD_REQUEST' } },
    'notes',
    { code: 404, message: 'There is no app "__proto__".', data: { reason: 'NOT_FOUND' } },
  ]);
});

test('an id that turns or hides its surroundings is named without that (security rule 38)', async () => {
  const response = await site.post('/gantry/instances', [{ app: 'fri\u202e\u200bends' }, { app: 'שלום' }]);
  const answers = (await response.json()) as InstanceAnswer[];
  expect(answers.map((answer) => 'error' in answer && answer.error.message)).toEqual([
    'There is no app "friends".',
    'There is no app "\u2068שלום\u2069".',
  ]);
});

test('no two instances are alike', async () => {
  const response = await site.post('/gantry/instances', Array(100).fill({ app: 'friends' }));
  const answers = (await response.json()) as InstanceAnswer[];
  expect(new Set(answers.map((answer) => 'ok' in answer && answer.ok.instance)).size).toBe(100);
});

test('a remote app keeps its own address and the sandbox (security rule 5)', async () => {
  expect(await site.mount({ app: 'elsewhere' })).toMatchObject({
    document: 'https://apps.example/elsewhere?v=1',
    sandbox: 'allow-scripts allow-forms',
  });
});

test.each([
  ["on the site's host", undefined, 'http://site.example/gantry/apps/friends/index.html'],
  ['on one sandbox host', 'http://sandbox.example', 'http://sandbox.example/gantry/apps/friends/index.html'],
  [
    'on a host of its own', // sha256 of "friends r-friends"
    'http://*.apps.example:81',
    'http://3880b13974144e6f6c24a88564d113df.apps.example:81/gantry/apps/friends/index.html',
  ],
])('the document is %s as the site chose (security rule 4)', async (_, appsHost, document) => {
  const isolated = await openSite(appsHost === undefined ? {} : { appsHost });
  expect((await isolated.mount({ app: 'friends' })).document).toBe(document);
});

test('a viewer function that returns no member id is a 500, and logged', async () => {
  const broken = await openSite({ viewer: async () => 'no id' });
  const response = await broken.post('/gantry/instances', [{ app: 'friends' }]);
  expect(response.status).toBe(500);
  expect(await response.json()).toEqual({
    error: { code: 500, message: 'Something went wrong on our side.', data: { reason: 'INTERNAL' } },
  });
  expect(broken.logged).toHaveLength(1);
});

test.each([
  ['The key that seals consumer secrets must have 32 bytes.', { secretKey: new Uint8Array(16) }],
  [
    'The key 1 for gadget tokens has 16 bytes; it needs 32 or more.',
    { tokenKeys: [{ id: '1', key: new Uint8Array(16) }] },
  ],
  [
    'The public address must be an origin such as https://site.example, not http://site.example/.',
    { publicUrl: `${siteUrl}/` },
  ],
  [
    'The REST root must be a URL such as https://site.example/social/rest, not /social/rest.',
    { upstreamUrl: '/social/rest' },
  ],
  [
    'The apps host must not be the host of the site itself, on no port either: cookies know no ports.',
    { appsHost: siteUrl },
  ],
  [
    'The apps host must be an origin such as http://*.apps.localhost:4400, not apps.example.',
    { appsHost: 'apps.example' },
  ],
])('a bad start says: %s (security rule 24)', async (message, options) => {
  await expect(openSite({ secretKey, ...options })).rejects.toThrow(message);
});

test('only pages on localhost receive what an app declares', async () => {
  const local = await openSite({ publicUrl: 'http://localhost:4400' });
  const response = await local.post('http://localhost:4400/gantry/instances', [{ app: 'friends' }], {
    Origin: 'http://localhost:4400',
  });
  expect(((await response.json()) as InstanceAnswer[])[0]).toMatchObject({
    ok: { declared: expect.arrayContaining(['people.get']) },
  });
  expect(await site.mount({ app: 'friends' })).not.toHaveProperty('declared');
});

test('an app without its page is APP_MISSING, and the log names the path once', async () => {
  const visited = await openSite();
  const folder = folderForTest();
  const registration = { manifest: { name: 'Away', page: 'index.html' }, consumerKey: 'k', consumerSecret: 's' };
  await registerApp(visited.db, secretKey, { id: 'away', folder, trusted: true, ...registration });
  const ask = async () =>
    (await (await visited.post('/gantry/instances', [{ app: 'away' }])).json()) as InstanceAnswer[];
  expect(await ask()).toEqual([
    {
      error: {
        code: 404,
        message: 'The files of this app are missing at present.',
        data: { reason: 'APP_MISSING' },
      },
    },
  ]);
  await ask();
  expect(visited.logged).toEqual([
    `There is no index.html in ${folder}: was the folder moved, or not built? { app: 'away' }`,
  ]);
  await writeFiles(folder, { 'index.html': '<!doctype html>' });
  expect(await ask()).toEqual([
    { ok: expect.objectContaining({ context: expect.objectContaining({ view: 'home' }) }) },
  ]);
});

test('on localhost the error names the path of the missing file', async () => {
  const folder = join(tmpdir(), 'gantry-never-made');
  const visited = await openSite({ publicUrl: 'http://localhost:4400' });
  const registration = { manifest: { name: 'Away', page: 'index.html' }, consumerKey: 'k', consumerSecret: 's' };
  await registerApp(visited.db, secretKey, { id: 'away', folder, ...registration });
  const answer = await visited.post('http://localhost:4400/gantry/instances', [{ app: 'away' }], {
    Origin: 'http://localhost:4400',
  });
  expect(await answer.text()).toContain(`There is no index.html in ${folder}`);
});
