import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DevServer, startDevServer } from '@gantry/dev';
import type { Entry } from '@gantry/lab';
import type { Explanation } from '@gantry/lab/record';
import { expect, type Page, test } from '@playwright/test';

// Common mistakes of authors, each made by a real gadget in the dev host. Its record explains each
// with a cure.

const sdk = '<script src="/gantry/osapi.js"></script>';

interface Mistake {
  readonly manifest?: object;
  readonly html: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly expected: Partial<Omit<Explanation, 'where'>> & { readonly where?: unknown };
}

const mistakes: Readonly<Record<string, Mistake>> = {
  'undeclared-call': {
    html: `${sdk}\n<script>osapi.activities.get().execute(() => {});</script>`,
    expected: { id: 'undeclared-call', example: '"uses": ["people.get", "activities.get"]' },
  },
  'fetch-elsewhere': {
    html: `${sdk}\n<script>\nfetch('https://api.example/cities').catch(() => {});</script>`,
    expected: {
      id: 'fetch-elsewhere',
      subject: 'https://api.example/cities',
      where: expect.objectContaining({ file: 'index.html', line: 3 }),
    },
  },
  socket: {
    html: `${sdk}\n<script>new WebSocket('wss://api.example/live');</script>`,
    expected: { id: 'fetch-elsewhere' },
  },
  'local-storage': {
    html: `${sdk}\n<script>localStorage.setItem('tab', '2');</script>`,
    expected: {
      id: 'browser-storage',
      subject: 'localStorage',
      where: expect.objectContaining({ file: 'index.html', line: 2, column: 9 }),
    },
  },
  cookie: {
    html: `${sdk}\n<script>document.cookie = 'a=b';</script>`,
    expected: { id: 'browser-storage', subject: 'cookie' },
  },
  'indexed-db': {
    html: `${sdk}\n<script>indexedDB.open('notes');</script>`,
    expected: { id: 'browser-storage', subject: 'indexedDB' },
  },
  'no-sdk': {
    html: '<p>Hello</p>',
    expected: { id: 'no-sdk', example: sdk },
  },
  'throws-at-start': {
    html: `${sdk}\n<script>\n  const friends = undefined;\n  friends.length;</script>`,
    expected: {
      id: 'throws',
      where: { file: 'index.html', line: 4, column: 11, text: 'friends.length;</script>' },
    },
  },
  'throws-in-a-plain-script': {
    html: `${sdk}\n<script src="main.js"></script>`,
    files: { 'main.js': '\nundefined.length;' },
    expected: { id: 'throws', where: { file: 'main.js', line: 2, column: 11, text: 'undefined.length;' } },
  },
  'imports-in-a-plain-script': {
    html: '<script src="main.js"></script>',
    files: { 'main.js': "import { osapi } from '@gantry/osapi';" },
    expected: { id: 'not-a-module', where: expect.objectContaining({ file: 'main.js', line: 1 }) },
  },
  'does-not-compile': {
    html: '<script type="module" src="./main.ts"></script>',
    files: { 'main.ts': "import '@gantry/osapi';\nconst a = ;" },
    expected: { id: 'build-failed', where: expect.objectContaining({ file: 'main.ts', line: 2 }) },
  },
  'writes-what-it-hears': {
    manifest: { uses: ['appdata.get', 'appdata.update'] },
    html: `${sdk}\n<script>
      osapi.appdata.get().subscribe(() => osapi.appdata.update({ data: { at: String(performance.now()) } }).execute(() => {}));
    </script>`,
    expected: { id: 'write-loop', subject: 'appdata.update' },
  },
  'too-much-data': {
    manifest: { uses: ['appdata.update'] },
    html: `${sdk}\n<script>osapi.appdata.update({ data: { all: 'x'.repeat(103_000) } }).execute(() => {});</script>`,
    expected: { id: 'too-large', example: "osapi.appdata.delete({ keys: ['old'] })" },
  },
  'hundred-vh': {
    manifest: { sizing: 'automatic' },
    html: `<style>body { height: 100vh; margin: 8px }</style>${sdk}`,
    expected: { id: 'resize-loop', example: 'html, body { height: auto; margin: 0 }' },
  },
  'unknown-call': {
    html: `${sdk}\n<script>osapi.people.getFriends().execute(() => {});</script>`,
    expected: { id: 'unknown-call', cure: 'Did you mean osapi.people.getViewerFriends?' },
  },
  'refused-subscription': {
    html: `${sdk}\n<script>osapi.activities.get().subscribe(() => {});</script>`,
    expected: { id: 'refused-unhandled', example: '"uses": ["people.get", "activities.get"]' },
  },
  'post-too-soon': {
    manifest: { uses: ['activities.create'] },
    html: `${sdk}\n<script>
      const post = (title) => osapi.activities.create({ activity: { title } });
      post('One').execute(() => post('Two').execute(() => {}));</script>`,
    expected: { id: 'posted-too-soon', example: 'osapi.activities.create({ activity }, { write: { queue: true } })' },
  },
  'host-not-listed': {
    html: `${sdk}\n<img src="https://pictures.example/cat.png" alt="">`,
    expected: { id: 'host-not-listed', example: '"hosts": ["https://pictures.example"]' },
  },
  'file-missing': {
    html: `${sdk}\n<img src="Cat.svg" alt="">`,
    expected: { id: 'file-missing', cure: 'Did you mean cat.svg?' },
  },
  'style-without-file': {
    html: `${sdk}\n<style>body { background: url('Cat.svg') }</style>`,
    expected: { id: 'file-missing', cure: 'Did you mean cat.svg?' },
  },
  'font-without-file': {
    html: `${sdk}\n<style>@font-face { font-family: a; src: url(a.woff2) } body { font-family: a }</style>Hello`,
    expected: { id: 'file-missing', subject: 'a.woff2' },
  },
  'forgotten-height': {
    manifest: { height: 100 },
    html: `${sdk}\n<p style="height: 300px">Long</p>`,
    expected: { id: 'cut-off', example: '"sizing": "automatic"' },
  },
  'misspelt-parameter': {
    html: `${sdk}\n<script>osapi.people.getViewer({ feilds: ['birthday'] }).execute(() => {});</script>`,
    expected: { id: 'unknown-parameter', cure: 'Write fields instead.' },
  },
  'object-as-text': {
    html: `${sdk}\n<script>osapi.ready.then(() => gantry.state.set('at ' + { x: 1 }));</script>`,
    expected: { id: 'object-as-text', subject: 'gantry.state.set' },
  },
  'leaves-its-page': {
    html: `${sdk}\n<script>osapi.ready.then(() => { location.href = 'about:blank'; });</script>`,
    expected: { id: 'left-page', example: "gantry.views.navigate('canvas')" },
  },
  'silent-calls': {
    html: `${sdk}\n<script>alert('Hello');</script>`,
    expected: { id: 'silent-dialog', subject: 'alert' },
  },
  'eval-of-text': {
    html: `${sdk}\n<script>eval('1 + 1');</script>`,
    expected: { id: 'eval' },
  },
};

/** Attempts of a gadget that catches all errors, with the problem and what it is about. */
const caught: Readonly<Record<string, readonly [id: string, subject?: string]>> = {
  'document.documentElement.requestFullscreen()': ['full-screen'],
  "navigator.clipboard.writeText('x')": ['uses-device', 'navigator.clipboard'],
  'new Promise((yes, no) => navigator.geolocation.getCurrentPosition(yes, no))': [
    'uses-device',
    'navigator.geolocation',
  ],
  'navigator.mediaDevices.getUserMedia({ audio: true })': ['uses-device', 'navigator.mediaDevices'],
  "navigator.wakeLock.request('screen')": ['uses-device', 'navigator.wakeLock'],
  "Notification.requestPermission().then((state) => state === 'granted' || Promise.reject())": ['notifications'],
  "new PaymentRequest([{ supportedMethods: 'https://pay.example' }], { total: { label: '', amount: { currency: 'EUR', value: '1' } } })":
    ['payments'],
  "new Worker('worker.js')": ['starts-worker'],
  localStorage: ['browser-storage', 'localStorage'],
  "indexedDB.open('a')": ['browser-storage', 'indexedDB'],
  'document.cookie': ['browser-storage', 'cookie'],
  "caches.open('a')": ['browser-storage', 'caches'],
  "Promise.reject(Object.assign(document.createElement('a'), { href: URL.createObjectURL(new Blob(['a'])), download: 'a' }).click())":
    ['downloads'],
};
const swallows = `${sdk}<script>
const attempts = [${Object.keys(caught).map((code) => `async () => ${code}`)}];
const outcomes = [...attempts, ...attempts].map((attempt) => attempt().then(() => String(attempt), () => ''));
Promise.all(outcomes).then((worked) => console.log('worked: ' + worked.join('')));
</script>`;

let folder: string;
let server: DevServer;
let open: (app: string) => Promise<Page>;
const pages: Page[] = [];
const explanations: { readonly app: string | undefined; readonly explanation: Explanation }[] = [];

test.beforeAll(async ({ browser }) => {
  folder = await mkdtemp(join(tmpdir(), 'gantry-mistakes-'));
  const others: Readonly<Record<'swallows' | 'right', Mistake>> = {
    swallows: { html: swallows, expected: {} },
    right: { html: sdk, expected: {} },
  };
  for (const [app, { manifest, html, files = {} }] of Object.entries({ ...mistakes, ...others })) {
    await mkdir(join(folder, app));
    await write(
      app,
      'gadget.json',
      JSON.stringify({ name: app, page: 'index.html', uses: ['people.get'], ...manifest }),
    );
    await write(app, 'index.html', `<!doctype html><title>${app}</title>${html}`);
    for (const [file, text] of Object.entries(files)) await write(app, file, text);
    await write(app, 'cat.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>');
  }
  server = await startDevServer({
    folders: [...Object.keys(mistakes), 'swallows', 'right'].map((app) => join(folder, app)),
    port: 0,
  });
  const explain = server.createExplainer();
  server.record.subscribe((entry: Entry) => {
    const explanation = explain(entry);
    if (explanation) explanations.push({ app: entry.app, explanation });
  });
  open = async (app) => {
    const page = await browser.newPage(); // a new context: six pages of one use up its connections
    pages.push(page);
    await page.goto(`${server.url}/?app=${app}`);
    return page;
  };
});

test.afterAll(async () => {
  for (const page of pages) await page.context().close();
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

function write(app: string, file: string, text: string): Promise<void> {
  return writeFile(join(folder, app, file), text);
}

function explained(app: string): readonly Explanation[] {
  return explanations.filter((one) => one.app === app).map(({ explanation }) => explanation);
}

for (const [app, { expected }] of Object.entries(mistakes)) {
  test(`a gadget with the mistake ${app} is explained with its cure`, async () => {
    const page = await open(app);
    await expect.poll(() => explained(app), { timeout: 50_000 }).toContainEqual(expect.objectContaining(expected));
    expect(new Set(explained(app).map(({ id }) => id)).size).toBeLessThanOrEqual(2);
    await page.context().close(); // some apps never stop
  });
}

test('each refusal is explained once, though the app catches the error (security rule 5)', async () => {
  await open('swallows');
  const console = () =>
    server.record.entries.flatMap((one) => (one.app === 'swallows' && 'text' in one ? one.text : []));
  await expect.poll(console).toEqual(['worked: ']);
  const refusals = explained('swallows').map(({ id, subject, where }) => [id, subject, where?.file]);
  const place = (id: string) => (id === 'downloads' ? undefined : 'index.html');
  expect(refusals.sort()).toEqual(
    Object.values(caught)
      .map(([id, subject]) => [id, subject, place(id)])
      .sort(),
  );
});

test('a script that cannot run is not reported as a missing SDK', async () => {
  const apps = ['imports-in-a-plain-script', 'does-not-compile'];
  await Promise.all(apps.map((app) => open(app)));
  for (const app of apps) {
    const isSilent = () =>
      server.record.entries.some((entry) => entry.app === app && entry.kind === 'incident' && entry.name === 'silent');
    await expect.poll(isSilent).toBe(true);
    expect(explained(app).map(({ id }) => id)).not.toContain('no-sdk');
  }
});

test('a gadget.json that is no JSON is explained with line and column, an unknown member with the right one', async () => {
  await write('right', 'gadget.json', '{\n  "name": "Right",\n}\n');
  await expect
    .poll(() => explained('right'))
    .toContainEqual(
      expect.objectContaining({ id: 'manifest-json', where: expect.objectContaining({ line: 3, column: 1 }) }),
    );
  await write('right', 'gadget.json', '{ "name": "Right", "page": "index.html", "use": [] }');
  await expect
    .poll(() => explained('right'))
    .toContainEqual(expect.objectContaining({ id: 'manifest-unknown-member', cure: 'Call it "uses".' }));
});

test('a correct gadget has no explanations', async () => {
  await write('right', 'gadget.json', JSON.stringify({ name: 'Right', page: 'index.html', uses: ['people.get'] }));
  const before = explained('right').length;
  await open('right');
  await expect.poll(() => server.record.entries.some(({ kind, app }) => kind === 'load' && app === 'right')).toBe(true);
  expect(explained('right')).toHaveLength(before);
});
