import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { appHeaders, createAppAddresses, responseOf } from '@gantry/proxy';
import { SocialError } from '@gantry/wire';
import { beforeAll, expect, test } from 'vitest';
import { folderForFile } from '../../../wire/test/temporary-folder.ts';
import { createSelfTest } from '../../src/self-test/routes/self-test.ts';

const siteUrl = 'http://site.example';
const root = `${siteUrl}/gantry/self-test`;

interface Site {
  get(url: string): Promise<Response>;
}

const folder = folderForFile();
const scripts = { page: join(folder, 'page.js'), probe: join(folder, 'probe.js') };
const site = siteAt({});
const apart = siteAt({ appsHost: 'https://*.apps.example' });

type Scripts = Pick<Parameters<typeof createSelfTest>[0], 'scripts'>;

function siteAt(options: { siteOrigin?: string; appsHost?: string } & Scripts): Site {
  const { siteOrigin = siteUrl, appsHost } = options;
  const addresses = createAppAddresses({ siteOrigin, appsHost });
  const answer = createSelfTest({ siteOrigin, mediaOrigins: [], addresses, scripts, ...options });
  return {
    async get(url) {
      try {
        const request = new Request(url);
        return responseOf(await answer(request), request);
      } catch (error) {
        if (!(error instanceof SocialError)) throw error;
        return new Response(error.message, { status: error.status });
      }
    },
  };
}

beforeAll(async () => {
  await writeFile(scripts.page, '// page');
  await writeFile(scripts.probe, "const end = '</script>';");
});

async function setupOf({ get }: Site): Promise<Record<string, string>> {
  const html = await (await get(root)).text();
  return JSON.parse(/id="setup">(.*?)<\/script>/.exec(html)?.[1] ?? '');
}

test('the self-test is for anybody and says nothing but where apps live (ADR 24)', async () => {
  expect(await setupOf(site)).toEqual({
    mode: 'opaque',
    heard: `${root}/heard`,
    tellsPurpose: false,
    narrow: `${root}/narrow`,
    sandbox: 'allow-scripts allow-forms',
    app: `${root}/apps/app`,
    sibling: `${root}/apps/app`,
    stranger: `${root}/apps/stranger`,
    bare: `${root}/apps/bare`,
  });
});

test('nobody may show the page in a frame, and it loads nothing from elsewhere', async () => {
  const { headers } = await site.get(root);
  expect(headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; script-src http:\/\/site\.example\/gantry\/self-test\/; style-src 'sha256-[^']+'; frame-src http:\/\/site\.example\/gantry\/self-test\/; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
  );
  expect([headers.get('cache-control'), headers.get('set-cookie')]).toEqual(['no-store', null]);
});

test('a probe has the headers of any app (security rule 5)', async () => {
  const { headers } = await site.get(`${root}/apps/app?as=looks`);
  const expected = appHeaders({
    ...{ documentOrigin: siteUrl, siteOrigin: siteUrl, mediaOrigins: [], hosts: [], storage: false, ownHost: false },
  });
  for (const [name, value] of Object.entries(expected)) expect(headers.get(name), name).toBe(value);
});

test('to the stranger this site is elsewhere: its headers are those of an app with other addresses (ADR 24)', async () => {
  const { headers } = await site.get(`${root}/apps/stranger`);
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy.replace(/frame-ancestors .*/, '')).not.toContain('site.example');
  expect(policy).toContain("script-src 'unsafe-inline' https://app.invalid https://site.invalid;");
  expect(policy).toMatch(/; frame-ancestors http:\/\/site\.example$/);
  expect(headers.get('connection-allowlist')).toBe('("https://app.invalid" "https://site.invalid")');
});

test('with an origin for each app the probes are two apps, and documents are served at their own addresses only', async () => {
  const { mode, app = '', sibling = '', storage, bare = '' } = await setupOf(apart);
  expect(mode).toBe('an origin per app');
  expect(app).toMatch(/^https:\/\/[\da-f]{32}\.apps\.example\/gantry\/self-test\/apps\/app$/);
  expect(new URL(app).host).not.toBe(new URL(sibling).host);
  expect(storage).toMatchObject({ sandbox: 'allow-scripts allow-forms allow-same-origin' });
  const statuses = async (...addresses: string[]) =>
    Promise.all(addresses.map(async (address) => (await apart.get(address)).status));
  const at = (address: string, name: string) => address.replace(/\w+$/, name);
  expect(await statuses(app, sibling, at(app, 'stranger'), at(app, 'keeper'), bare)).toEqual([200, 200, 200, 200, 200]);
  const wrong = [at(bare, 'app'), at(bare, 'keeper'), at(bare, 'stranger'), at(app, 'bare'), at(app, 'other')];
  expect(await statuses(...wrong)).toEqual([404, 404, 404, 404, 404]);
});

test('an app that keeps its origin is never served on the site’s own (security rule 4)', async () => {
  expect((await site.get(`${root}/apps/keeper`)).status).toBe(404);
});

test('behind a reverse proxy, which takes the s off https, it is the same site', async () => {
  const secure = siteAt({ siteOrigin: 'https://site.example' });
  expect(await setupOf(secure)).toMatchObject({ bare: 'https://site.example/gantry/self-test/apps/bare' });
});

test('at another name of this machine the page is asked for again at the public address', async () => {
  const response = await site.get('http://127.0.0.1/gantry/self-test');
  expect([response.status, response.headers.get('location')]).toEqual([302, root]);
});

test('the listener answers the same to everybody, and nothing else is there', async () => {
  const heard = await site.get(`${root}/heard/page.html?key=1`);
  expect(heard.headers.get('content-security-policy')).toMatch(/^sandbox allow-scripts; default-src 'none'/);
  expect(await heard.text()).not.toContain('key=1');
  expect((await site.get(`${root}/heard/text.txt`)).headers.get('access-control-allow-origin')).toBe('*');
  for (const path of ['/heard/', '/heard/__proto__', '/heard/a/b', '/apps', '/apps/constructor', '/x', '/narrow/x']) {
    expect((await site.get(root + path)).status, path).toBe(404);
  }
});

test('the text of a probe’s script does not end it', async () => {
  const html = await (await site.get(`${root}/apps/bare`)).text();
  expect(html).toContain("const end = '<\\/script>';");
});

test('before the scripts are built the page’s probes say so', async () => {
  const missing = { page: join(folder, 'none.js'), probe: join(folder, 'none.js') };
  const unbuilt = siteAt({ scripts: missing });
  const response = await unbuilt.get(`${root}/apps/bare`);
  expect([response.status, await response.text()]).toEqual([404, expect.stringContaining('npm run build')]);
});
