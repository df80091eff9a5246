import { sql } from '@gantry/store';
import { describe, expect, test } from 'vitest';
import { databases } from '../../../service/test/databases.ts';
import { registerApp } from '../register-app.ts';
import { appFolder, secretKey, siteUrl } from '../site.ts';
import { appOf, openStoredSite, page } from './stored-site.ts';

const immutable = 'public, max-age=31536000, immutable';
const script = 'export const text = `of a script`;\n'.repeat(20_000); // 700 kB: three chunks
const files = { 'a.js': script, 'logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>', 'größe/ü.css': 'a{}' };

describe.each(databases)('documents of stored versions, on $name', ({ open }) => {
  test('a version has its own addresses: documents are asked for each time, all else never again', async () => {
    const site = await openStoredSite({ db: await open() });
    const digest = await site.release(appOf({}, files));
    const { document } = await site.ask();
    expect(document).toBe(`${siteUrl}/gantry/apps/quiz/@${digest}/index.html`);
    const found = await site.get(document);
    expect([found.status, await found.text(), found.headers.get('cache-control')]).toEqual([200, page, 'no-cache']);
    const caching = async (path: string) => (await site.get(`/gantry/apps/quiz/${path}`)).headers.get('cache-control');
    expect(await Promise.all(['a.js', 'logo.svg', 'index.html'].map((path) => caching(`@${digest}/${path}`)))).toEqual([
      immutable,
      'no-cache',
      'no-cache',
    ]);
    expect(await Promise.all(['a.js', 'logo.svg', 'index.html'].map(caching))).toEqual(Array(3).fill('no-cache'));
  });

  test('a file of several chunks comes whole, in part, and compressed', async () => {
    const site = await openStoredSite({ db: await open() });
    const digest = await site.release(appOf({}, files));
    const address = `/gantry/apps/quiz/@${digest}/a.js`;
    expect(await (await site.get(address)).text()).toBe(script);
    const part = await site.get(address, { range: 'bytes=262140-262149' });
    expect([part.status, await part.text()]).toEqual([206, script.slice(262_140, 262_150)]);
    const packed = await site.get(address, { 'accept-encoding': 'br' });
    expect([packed.headers.get('content-encoding'), Number(packed.headers.get('content-length'))]).toEqual([
      'br',
      (await packed.arrayBuffer()).byteLength,
    ]);
    const again = await site.get(address, {
      'if-none-match': packed.headers.get('etag') ?? '',
      'accept-encoding': 'br',
    });
    expect([again.status, again.headers.get('cache-control')]).toEqual([304, immutable]);
  });

  test('without a version the address is that of the live one, and an open page keeps its own', async () => {
    const site = await openStoredSite({ db: await open() });
    const first = await site.release(appOf({}, { 'a.js': 'one' }));
    const second = await site.release(appOf({}, { 'a.js': 'two' }));
    const text = async (path: string) => (await site.get(`/gantry/apps/quiz/${path}`)).text();
    expect(await Promise.all(['a.js', `@${first}/a.js`, `@${second}/a.js`].map(text))).toEqual(['two', 'one', 'two']);
    await site.point(first);
    expect(await text('a.js')).toBe('one');
  });

  test('what nobody accepted is not served, and what was given to no app has no address', async () => {
    const site = await openStoredSite({ db: await open() });
    const live = await site.release(appOf());
    const waiting = await site.push(appOf({ description: 'waits' }), 'waiting');
    const preview = await site.push(appOf({ description: 'preview' }), 'preview');
    const status = async (path: string) => (await site.get(`/gantry/apps/${path}/index.html`)).status;
    const paths = [`quiz/@${live}`, `quiz/@${preview}`, `quiz/@${waiting}`, `quiz/@${live.replace(/./g, '0')}`];
    expect(await Promise.all(paths.map(status))).toEqual([200, 200, 404, 404]);
    expect(await Promise.all([`friends/@${live}`, `elsewhere/@${live}`, `nobody/@${live}`].map(status))).toEqual([
      404, 404, 404,
    ]);
    await site.db.query(sql`update app_versions set state = 'refused' where digest = ${preview}`);
    expect(await status(`quiz/@${preview}`)).toBe(404);
  });

  test('versions end with the registration that they belong to (security rule 29)', async () => {
    const site = await openStoredSite({ db: await open() });
    const digest = await site.release(appOf());
    expect((await site.get(`/gantry/apps/quiz/@${digest}/index.html`)).status).toBe(200);
    const other = { id: 'quiz', folder: await appFolder(), manifest: { name: 'Spy', page: 'index.html' } };
    const consumer = { consumerKey: 'other', consumerSecret: 's' };
    const options = { mode: 'replace', newRegistration: () => 'second' } as const;
    await registerApp(site.db, secretKey, { ...other, ...consumer }, options);
    expect((await site.get(`/gantry/apps/quiz/@${digest}/index.html`)).status).toBe(404);
    expect((await site.get('/gantry/apps/quiz/index.html')).status).toBe(200);
  });

  test('an app that is served from its folder again keeps the versions that pages show', async () => {
    const site = await openStoredSite({ db: await open() });
    const digest = await site.release(appOf({}, { 'a.js': 'stored' }));
    const consumer = { consumerKey: 'key', consumerSecret: 's' };
    const app = { id: 'quiz', folder: await appFolder(), manifest: { name: 'Quiz', page: 'index.html' } };
    await registerApp(site.db, secretKey, { ...app, ...consumer }, { mode: 'update' });
    const stored = await site.get(`/gantry/apps/quiz/@${digest}/a.js`);
    expect([stored.status, (await site.get('/gantry/apps/quiz/a.js')).status]).toEqual([200, 404]);
    expect(await site.ask()).not.toHaveProperty('version');
    expect(await site.ask({ version: digest })).toMatchObject({ version: digest });
  });

  test('a version and its bytes leave nothing to find once they are deleted', async () => {
    const site = await openStoredSite({ db: await open() });
    const first = await site.release(appOf({}, { 'a.js': 'one' }));
    await site.release(appOf({}, { 'a.js': 'two' }));
    expect((await site.get(`/gantry/apps/quiz/@${first}/a.js`)).status).toBe(200);
    await site.db.query(sql`delete from app_versions where digest = ${first}`);
    expect((await site.get(`/gantry/apps/quiz/@${first}/a.js`)).status).toBe(404);
  });
});

const quiz = await openStoredSite();
const version = await quiz.release(appOf({}, files));

test.each([
  ['composed', 'gr%C3%B6%C3%9Fe/%C3%BC.css'],
  ['decomposed', 'gro%CC%88%C3%9Fe/u%CC%88.css'],
])('a name whose letters are %s is the same file', async (_, path) => {
  expect((await quiz.get(`/gantry/apps/quiz/@${version}/${path}`)).status).toBe(200);
});

test.each([
  ...['', 'a', 'A.js', 'a.js/', '/a.js', '..%2Fa.js', 'gr%C3%B6%C3%9Fe', '%', 'a.js%00', '__proto__'],
  ...['gadget.json%2F..%2Fa.js', 'größe%2Fü.css', `${'a/'.repeat(4_000)}a.js`],
])('%j is no file of the version', async (path) => {
  expect((await quiz.get(`/gantry/apps/quiz/@${version}/${path}`)).status).toBe(404);
});

test('no path of a stranger reaches the disk or a chunk', async () => {
  const site = await openStoredSite();
  const digest = await site.release(appOf({}, files));
  const reads: string[] = [];
  const { query } = site.db;
  site.db.query = (statement) => {
    reads.push(statement.strings.join('?'));
    return query(statement);
  };
  const paths = ['b.js', 'gadget.json%00', '../../etc/passwd', '%2e%2e/keys.json', digest];
  for (const path of paths) {
    expect((await site.get(`/gantry/apps/quiz/@${digest}/${path}`)).status).toBe(404);
  }
  expect(reads.filter((text) => text.includes('app_chunk_bytes'))).toEqual([]);
  await site.get(`/gantry/apps/quiz/@${digest}/a.js`); // control
  expect(reads.filter((text) => text.includes('app_chunk_bytes'))).toHaveLength(3);
});

test('HEAD, and a browser that has the file, cost no byte of it', async () => {
  const site = await openStoredSite();
  const digest = await site.release(appOf({}, files));
  const address = `${siteUrl}/gantry/apps/quiz/@${digest}/a.js`;
  const head = await site.proxy.handle(new Request(address, { method: 'HEAD' }));
  await site.db.query(sql`update app_chunk_bytes set bytes = null`);
  const known = await site.get(address, { 'if-none-match': head.headers.get('etag') ?? '' });
  expect([head.status, head.headers.get('content-length'), known.status]).toEqual([200, String(script.length), 304]);
  expect((await site.get(address)).status).toBe(500); // control: its bytes are gone
});

const modes = [
  ['opaque', undefined, siteUrl],
  ['one sandbox origin', 'http://sandbox.example', 'http://sandbox.example'],
  ['an origin per app', 'http://*.apps.example', /^http:\/\/[0-9a-f]{32}\.apps\.example$/],
] as const;

test.each(modes)(
  'the headers of security rule 5 stand on every file of a version (%s)',
  async (_, appsHost, origin) => {
    const site = await openStoredSite(appsHost === undefined ? {} : { appsHost });
    const digest = await site.release(appOf({ hosts: ['https://images.example'] }, files));
    const { document } = await site.ask();
    expect(new URL(document).origin).toEqual(typeof origin === 'string' ? origin : expect.stringMatching(origin));
    for (const file of ['index.html', 'a.js', 'logo.svg', 'gadget.json']) {
      const { headers } = await site.get(new URL(file, document).href);
      expect(headers.get('content-security-policy')).toMatch(
        /^sandbox allow-scripts allow-forms; default-src 'none'; /,
      );
      expect(headers.get('connection-allowlist')).toContain('"https://images.example"');
      expect([headers.get('x-content-type-options'), headers.get('referrer-policy')]).toEqual([
        'nosniff',
        'no-referrer',
      ]);
    }
    const top = { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' };
    expect((await site.get(document, top)).status).toBe(403);
    expect(document).toContain(`/@${digest}/`);
    if (appsHost === undefined) return;
    expect((await site.get(new URL(new URL(document).pathname, siteUrl).href)).status).toBe(421);
  },
);

test.each(modes)('a mended policy reaches a page that the browser has already (%s)', async (_, appsHost) => {
  const wide = await openStoredSite({ mediaOrigins: ['https://photos.example'], ...(appsHost && { appsHost }) });
  await wide.release(appOf({}, files));
  const { document } = await wide.ask();
  const etag = (await wide.get(document)).headers.get('etag') ?? '';
  expect((await wide.get(document, { 'if-none-match': etag })).status).toBe(304);
  const narrow = await openStoredSite({ db: wide.db, ...(appsHost && { appsHost }) }); // the next release of the site
  const mended = await narrow.get(document, { 'if-none-match': etag });
  expect([mended.status, mended.headers.get('content-security-policy')?.includes('photos')]).toEqual([200, false]);
  const picture = new URL('logo.svg', document).href;
  const before = (await wide.get(picture)).headers.get('etag') ?? '';
  expect((await narrow.get(picture, { 'if-none-match': before })).status).toBe(200);
});

test('a preview talks to no host and stores nothing that the live version could not (security rule 5)', async () => {
  const site = await openStoredSite({ appsHost: 'http://*.apps.example' });
  const [known, other] = ['https://images.example', 'https://evil.example'];
  await site.release(appOf({ hosts: [known] }));
  const wanting = appOf({ hosts: [known, other], storage: true });
  const digest = await site.push(wanting, 'preview');
  const { document } = await site.ask();
  const policy = async () => {
    const { headers } = await site.get(document.replace(/@[0-9a-f]{64}/, `@${digest}`));
    return `${headers.get('content-security-policy')} ${headers.get('connection-allowlist')}`;
  };
  expect(await policy()).toContain(known);
  expect(await policy()).not.toMatch(/evil|allow-same-origin/);
  await site.push(wanting); // the control: once accepted, it has what it declares
  expect(await policy()).toMatch(/allow-same-origin.* https:\/\/evil\.example/);
});
