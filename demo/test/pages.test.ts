import { expect, test } from 'vitest';
import { createCommunity } from '../community.ts';
import { createPages } from '../pages.ts';
import type { World } from '../world/records.ts';

const world: World = {
  site: { name: 'Test Quay' },
  members: [
    { id: '1', displayName: 'Åsa <b>', thumbnailUrl: '/avatars/1.svg', aboutMe: 'for the site' },
    {
      id: '2',
      displayName: 'Friend',
      thumbnailUrl: '/avatars/2.svg',
      aboutMe: 'for friends',
      visibility: { aboutMe: 'friends' },
    },
    {
      id: '3',
      displayName: 'Stranger',
      thumbnailUrl: '/avatars/3.svg',
      aboutMe: 'for friends too',
      visibility: { aboutMe: 'friends' },
    },
    { id: '4', displayName: 'Blocker', thumbnailUrl: '/avatars/4.svg' },
  ],
  friendships: [['1', '2']],
  blocks: [['4', '1']],
  apps: [],
  installs: [],
  activities: [],
  appData: [],
  albums: [],
  mediaItems: [],
};
const pages = createPages({
  community: createCommunity(world),
  appFrames: (origin) => `${origin}/gantry/apps/`,
  hasPreferences: async (app) => app === 'notes',
});

const get = (path: string, { host = 'localhost:4400', cookie = '' } = {}) =>
  pages(new Request(`http://${host}${path}`, { headers: { Cookie: cookie } }));
const choose = (member: string, { host = 'localhost:4400', origin = '' } = {}) =>
  pages(
    new Request(`http://${host}/sign-in`, {
      method: 'POST',
      headers: { Origin: origin || `http://${host}` },
      body: new URLSearchParams({ member }),
    }),
  );

test('the first visit is signed in as member 1', async () => {
  expect(await (await get('/')).text()).toContain('Good to see you, <span dir="auto">Åsa &lt;b&gt;</span>');
});

test('a chosen member is kept in a cookie that scripts cannot read', async () => {
  const answer = await choose('2');
  expect(answer.status).toBe(303);
  expect(answer.headers.get('Set-Cookie')).toBe('demo_member=2; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax');
  expect(await (await get('/', { cookie: 'demo_member=2' })).text()).toContain('<span dir="auto">Friend</span>');
});

test('a visitor can browse signed out', async () => {
  expect((await choose('none')).headers.get('Set-Cookie')).toContain('demo_member=none;');
  expect(await (await get('/', { cookie: 'demo_member=none' })).text()).toContain('Sign in to see what they are up to');
});

test.each([
  ['127.0.0.1:4400', 303],
  ['[::1]:4400', 303],
  ['demo.localhost:4400', 303],
  ['tern-quay.example', 403],
  ['localhost.example', 403],
  ['192.168.0.7:4400', 403],
])('the chooser at %s answers %i (security rule 10)', async (host, status) => {
  const answer = await choose('2', { host });
  expect(answer.status).toBe(status);
  expect(answer.headers.has('Set-Cookie')).toBe(status === 303);
});

test.each(['https://evil.example', 'null', 'http://localhost:9999'])(
  'a form sent from %s is refused',
  async (origin) => {
    const answer = await choose('2', { origin });
    expect(answer.status).toBe(403);
    expect(answer.headers.has('Set-Cookie')).toBe(false);
    expect(await answer.text()).toContain('Another site, or a program, sent this form.');
  },
);

test('at any other address no cookie signs a member in', async () => {
  const page = await (await get('/', { host: 'tern-quay.example', cookie: 'demo_member=2' })).text();
  expect(page).not.toContain('/members/2');
  expect(page).not.toContain('id="chooser"');
});

test('an unknown member can neither be chosen nor claimed', async () => {
  expect((await choose('999')).status).toBe(400);
  expect(await (await get('/', { cookie: 'demo_member=999' })).text()).toContain('Sign in to see');
});

test('a page shows only texts that its member lets the viewer read (contract §6)', async () => {
  expect(await (await get('/members/2')).text()).toContain('for friends');
  expect(await (await get('/members/3')).text()).not.toContain('for friends too');
  expect(await (await get('/members/1', { cookie: 'demo_member=none' })).text()).toContain('for the site');
});

test('the page of a member who blocked the viewer is answered like a missing page (contract §6)', async () => {
  const [blocker, nobody] = await Promise.all([get('/members/4'), get('/members/999')]);
  expect([blocker.status, nobody.status]).toEqual([404, 404]);
  expect(await blocker.text()).toBe(await nobody.text());
});

test('an author looks at an app of their own on a page of its own', async () => {
  expect(await (await get('/apps/my-gadget')).text()).toContain(
    '<gantry-gadget app="my-gadget" heading></gantry-gadget>',
  );
  expect((await get('/apps/%22%3E')).status).toBe(404);
});

test('pages allow frames of apps and nothing else from elsewhere (security rule 5)', async () => {
  const { headers } = await get('/');
  expect(headers.get('Content-Security-Policy')).toBe(
    "default-src 'none'; script-src http://localhost:4400/gantry/container.js http://localhost:4400/gantry/chunks/ http://localhost:4400/site/; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-src http://localhost:4400/gantry/apps/; form-action 'self'; base-uri 'none'; frame-ancestors 'self'",
  );
  expect(headers.get('Cross-Origin-Opener-Policy')).toBe('same-origin');
  expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
});

test('a picture is the same each time, carries the name as text, and may be shown in gadgets', async () => {
  const [first, again] = await Promise.all([get('/avatars/1.svg'), get('/avatars/1.svg')]);
  const svg = await first.text();
  expect(svg).toBe(await again.text());
  expect(svg).toContain('<title>Åsa &#60;b&#62;</title>');
  expect(first.headers.get('Cross-Origin-Resource-Policy')).toBe('cross-origin');
  expect(first.headers.get('X-Content-Type-Options')).toBe('nosniff');
  expect(first.headers.get('Content-Security-Policy')).toContain('sandbox');
});

test.each(['/avatars/999.svg', '/avatars/..%2Fpages.svg', '/site/../pages.ts', '/site/layout.ts', '/nothing'])(
  '%s is not found',
  async (path) => {
    expect((await get(path)).status).toBe(404);
  },
);

test('the page of an app links to its preferences view, if it has one', async () => {
  expect(await (await get('/apps/notes')).text()).toContain('<a href="#gantry.notes=preferences">');
  expect(await (await get('/apps/friends')).text()).not.toContain('preferences');
});
