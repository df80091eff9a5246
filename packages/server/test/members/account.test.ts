import { expect, onTestFinished, test } from 'vitest';
import { folderForTest } from '../../../wire/test/temporary-folder.ts';
import { addApp, configuration, createGantry, readServerConfiguration, startServer } from '../../src/index.ts';
import { prepareWorld, runSite } from '../running-site.ts';
import { viewerKey, viewerToken } from '../viewer-token.ts';

test('gantry serve has the account’s pages, which are the front door where there is no site', async () => {
  const { server, stop } = await runSite();
  try {
    const front = await fetch(server.url, { redirect: 'manual' });
    expect([front.status, front.headers.get('location')]).toEqual([303, '/account']);
    const page = await fetch(`${server.url}/oauth/authorize?oauth_token=x`);
    expect(page.url).toBe(`${server.url}/account/sign-in?return=%2Foauth%2Fauthorize%3Foauth_token%3Dx`);
    expect(page.headers.get('set-cookie')).toMatch(
      /^gantry_form_\d+=[\w-]{22}; Path=\/; Max-Age=86400; HttpOnly; SameSite=Lax$/,
    );
    expect(await page.text()).toContain('<h1>Sign in</h1>');
    const alias = await fetch(`http://127.0.0.1:${new URL(server.url).port}/account/sign-in`, { redirect: 'manual' });
    expect([alias.status, alias.headers.get('location')]).toEqual([307, `${server.url}/account/sign-in`]);
  } finally {
    await stop();
  }
});

test('with GANTRY_VIEWER_KEY a site in another language says who is signed in, to pages and to gadgets', async () => {
  const data = folderForTest();
  const env = { GANTRY_VIEWER_KEY: viewerKey, GANTRY_SIGN_IN_URL: '/login.php' };
  const configuration = readServerConfiguration(['--port', '0', '--data', data], env);
  const server = await startServer({
    configuration,
    prepare: async (stores) => {
      await prepareWorld(stores);
      await addApp(stores, { id: 'quiz', url: 'https://apps.example/quiz/', title: 'Quiz' });
    },
  });
  onTestFinished(() => server.close());
  const cookie = `gantry_viewer=${viewerToken('2', server.url)}`;
  expect(await (await fetch(`${server.url}/account/apps`, { headers: { cookie } })).text()).toContain('<bdi>Bo</bdi>');
  const stranger = await fetch(`${server.url}/account/apps`);
  expect(stranger.status).toBe(403);
  expect(await stranger.text()).toContain('href="/login.php?return=%2Faccount%2Fapps"');
  expect((await fetch(`${server.url}/account/sign-in`, { headers: { cookie } })).status).toBe(404);
  const headers = { cookie, origin: server.url, 'content-type': 'application/json', 'gantry-container': '1' };
  const body = JSON.stringify([{ app: 'quiz' }]);
  const opened = await fetch(`${server.url}/gantry/instances`, { method: 'POST', headers, body });
  expect(await opened.json()).toMatchObject([{ ok: { context: { viewer: '2' } } }]);
});

test('members read the names of their apps in the language of the page', async () => {
  const data = folderForTest();
  const gantry = await createGantry({ data, url: 'http://localhost:4400', viewer: () => '2' });
  onTestFinished(() => gantry.close());
  await prepareWorld(gantry.stores);
  const manifest = { uses: ['people.get'], languages: { de: { name: 'Rätsel' } } };
  await addApp(gantry.stores, { id: 'q', url: 'https://q.example/', title: 'Quiz', trusted: true, manifest });
  const namesIn = async (language: string) => {
    const request = new Request('http://localhost:4400/account/apps', { headers: { 'accept-language': language } });
    const page = await (await gantry.fetch(request, '/account/apps')).text();
    return ['Quiz', 'Rätsel'].filter((name) => page.includes(`<bdi>${name}</bdi>`));
  };
  expect([await namesIn('de-AT'), await namesIn('fr')]).toEqual([['Rätsel'], ['Quiz']]);
});

test.each([
  [{ GANTRY_VIEWER_KEY: 'short' }, 'GANTRY_VIEWER_KEY must have 32 or more bytes; this one has 5.'],
  [
    { GANTRY_SIGN_IN_URL: '//evil.example' },
    '--sign-in-url (GANTRY_SIGN_IN_URL) must be an address or a path such as /sign-in, not "//evil.example".',
  ],
  [
    { GANTRY_SIGN_IN_URL: 'javascript:x' },
    '--sign-in-url (GANTRY_SIGN_IN_URL) must be an address or a path such as /sign-in, not "javascript:x".',
  ],
])('%j stops the start with one clear line (security rule 24)', (env, message) => {
  expect(() => configuration({}, env)).toThrow(message);
});
