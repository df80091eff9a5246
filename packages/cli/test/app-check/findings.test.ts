import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { appDeclares } from '@gantry/proxy';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkApp } from '../../src/app-check/check-app.ts';
import { findingLine } from '../../src/app-check/finding.ts';
import { servedLine } from '../../src/app-check/served-files.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gantry-findings-'));
});
afterEach(() => rm(folder, { recursive: true }));

type Files = Readonly<Record<string, string>>;
const sdk = '<script src="/gantry/osapi.js"></script>';

/** Findings of an app with these files, as `id@file:line:column`. */
async function findingsOf(files: Files, manifest: object = {}): Promise<readonly string[]> {
  const all = {
    'index.html': sdk,
    ...files,
    'gadget.json': JSON.stringify({ name: 'A', page: 'index.html', ...manifest }),
  };
  for (const [path, text] of Object.entries(all)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const { findings } = await checkApp(folder);
  return findings.map(({ id, file, line, column }) => [`${id}@${file ?? ''}`, line, column].filter(Boolean).join(':'));
}

const script = (text: string): Files => ({ 'app.js': text });
const page = (markup: string): Files => ({ 'index.html': `${sdk}${markup}` });
const at = sdk.length + 1;

// Each finding with a file that has it, and near ones that have not: the control.
const cases: readonly (readonly [id: string, has: Files, at: string, hasNot: readonly Files[]])[] = [
  [
    'form-submit',
    page('<form method="post">'),
    `index.html:1:${at + 1}`,
    [page('<form id="a" class="b">'), page('<!-- <form action="x"> -->')],
  ],
  ['form-submit', script('x.form.submit()'), 'app.js:1:8', [script('form.requestSubmit()'), script('submit()')]],
  [
    'file-not-served',
    { ...page('<script src="tests/a.js"></script>'), 'tests/a.js': '' },
    `index.html:1:${at + 13}`,
    [
      { ...page('<script src="a.js"></script>'), 'a.js': '' },
      { ...page('<img src="a.png">'), 'a.png': '' },
    ],
  ],
  [
    'silent-window',
    script('a;\nwindow.open("x")'),
    'app.js:2:1',
    [script('db.open("x")'), script('// window.open("x")'), script('"window.open()"')],
  ],
  [
    'silent-window',
    page('<a href="b.html" target="_blank">'),
    `index.html:1:${at + 17}`,
    [page('<a target="_self">'), page('<p data-target="_blank">')],
  ],
  [
    'silent-dialog',
    script('if (confirm("?")) x'),
    'app.js:1:5',
    [script('gantry.ui.confirm("?")'), script('function alert(x) {}'), script('isPrompt(1)')],
  ],
  ['silent-dialog', script('window.alert(1)'), 'app.js:1:1', [script('sounds.alert(1)')]],
  [
    'fetch-elsewhere',
    script('await fetch(url)'),
    'app.js:1:7',
    [script('cache.fetch(url)'), script('prefetch(url)'), script('"fetch(url)"')],
  ],
  ['fetch-elsewhere', script('new WebSocket(url)'), 'app.js:1:1', [script('newWebSocket(url)')]],
  ['fetch-elsewhere', script('navigator.sendBeacon(url)'), 'app.js:1:11', [script('sendBeacons(url)')]],
  ['starts-worker', script('new Worker("a.js")'), 'app.js:1:1', [script('new WorkerList()')]],
  ['eval', script('eval("1")'), 'app.js:1:1', [script('medieval("1")'), script('table.eval("1")')]],
  ['eval', script('new Function("x")'), 'app.js:1:1', [script('new Functions()')]],
  ['eval', script('WebAssembly.instantiate(b)'), 'app.js:1:1', [script('typeof WebAssembly')]],
  ['frame-inside', page('<iframe src="https://x.example">'), `index.html:1:${at + 1}`, [page('<p>an iframe</p>')]],
  ['base-element', page('<base href="/x/">'), `index.html:1:${at + 1}`, [page('<base>')]],
  ['downloads', page('<a href="a.txt" download>'), `index.html:1:${at + 16}`, [page('<a href="downloads.html">')]],
  [
    'full-screen',
    script('video.requestFullscreen()'),
    'app.js:1:7',
    [script('"requestFullscreen()"'), script('requestFullscreen()')],
  ],
  ['web-share', script('navigator.share(x)'), 'app.js:1:11', [script('gantry.ui.share(x)')]],
  ['notifications', script('new Notification("x")'), 'app.js:1:1', [script('new Notifications("x")')]],
  ['notifications', script('Notification.requestPermission()'), 'app.js:1:1', [script('gantry.permissions.request()')]],
  ['payments', script('new PaymentRequest(x, y)'), 'app.js:1:1', [script('new Payment(x, y)')]],
  [
    'data-address',
    { 'app.css': '@font-face {\n  src: url(data:font/woff2;base64,AA);\n}' },
    'app.css:2:12',
    [{ 'app.css': 'a { background: url("data:image/png;base64,AA") }' }, { 'app.css': '/* url(data:font/ttf,A) */' }],
  ],
  [
    'data-address',
    script('new Audio("data:audio/wav;base64,AA")'),
    'app.js:1:12',
    [script('image.src = "data:image/gif;base64,AA"'), script('// "data:audio/wav"')],
  ],
  ['data-address', script('style = "a{src:url(data:font/ttf,A)}"'), 'app.js:1:20', [script('style = "url(a.ttf)"')]],
  [
    'data-address',
    page('<video src="data:video/mp4,A">'),
    `index.html:1:${at + 12}`,
    [page('<img src="data:image/gif,A">')],
  ],
  [
    'file-missing',
    { 'css/app.css': '@font-face { src: url("../a.woff2?v=1") }' },
    'css/app.css:1:24',
    [
      { 'css/app.css': 'a { background: url("../a.png#b") }', 'a.png': '' },
      { 'app.css': '/* url(a.png) */ a { fill: url(#b) }' },
      script('style = "a { background: url(a.png) }"'),
      { 'a.vue': '<style>a { background: url(@/a.png) }</style>', 'vite.config.js': '' },
    ],
  ],
  ['host-not-listed', { 'app.css': 'a { background: url(https://b.example/a.png) }' }, 'app.css:1:21', []],
  [
    'unknown-parameter',
    script('osapi.people.get({\n  feilds: ["birthday"] })'),
    'app.js:2:3',
    [
      script('osapi.people.get({ fields: ["birthday"], ...rest, [name]: 1 })'),
      script('albums.people.get({ feilds: 1 })'),
    ],
  ],
  ['uses-device', script('navigator.clipboard.writeText(x)'), 'app.js:1:11', [script('navigator.language')]],
  [
    'resize-loop',
    { 'app.css': 'a {\n  height: 100vh;\n}' },
    'app.css:2:11',
    [{ 'app.css': 'a { height: 100%; width: 100vw; }' }, { 'app.css': '/* 100vh */' }],
  ],
  [
    'resize-loop',
    page('<style>a { min-height: 100dvh }</style>'),
    `index.html:1:${at + 23}`,
    [page('<p>100dvh</p>'), page('<style>a { height: 50vh }</style>')],
  ],
  [
    'browser-storage',
    script('localStorage.a = 1'),
    'app.js:1:1',
    [script('"localStorage"'), script('// localStorage')],
  ],
  [
    'silent-dialog',
    page('<button onclick="alert(1)">'),
    `index.html:1:${at + 17}`,
    [page('<button title="alert(1)">')],
  ],
];

describe.each(cases)('%s', (id, has, place, hasNot) => {
  const manifest = id === 'unknown-parameter' ? { uses: ['people.get'] } : {};
  test(`is found at ${place}, and not in what is only near it (security rule 5)`, async () => {
    expect(await findingsOf(has, manifest)).toEqual([`${id}@${place}`]);
    for (const files of hasNot) {
      await rm(folder, { recursive: true });
      expect(await findingsOf(files, manifest)).toEqual([]);
    }
  });
});

test('each policy that a finding names is that of app documents (security rule 5)', async () => {
  const headers = readFileSync(new URL('../../../proxy/src/apps/document-headers.ts', import.meta.url), 'utf8');
  const rules = readFileSync(new URL('../../../lab/src/explain/problems.ts', import.meta.url), 'utf8');
  const named = [...rules.matchAll(/\((\w[\w-]+-src|form-action|base-uri)(?: and ([\w-]+))? 'none'\)/g)].flatMap(
    ([, ...names]) => names,
  );
  expect(named.filter(Boolean).length).toBeGreaterThan(5);
  for (const name of named.filter(Boolean)) expect(headers).toContain(`"${name} 'none'"`);
  for (const token of ['allow-popups', 'allow-modals', 'allow-downloads', 'unsafe-eval', 'wasm-unsafe-eval']) {
    expect(rules).toContain(token);
    expect(headers).not.toContain(token);
  }
});

test('a second place of a problem is found too, ten in a file at most', async () => {
  const findings = await findingsOf(script('localStorage.a = 1;\n'.repeat(12)));
  expect(findings).toEqual(Array.from({ length: 10 }, (_, index) => `browser-storage@app.js:${index + 1}:1`));
});

test('a built file is named once for each problem, without columns, and its sources as the better folder', async () => {
  const code = `${'use(1);'.repeat(100)}alert(1);alert(2);fetch("x");`;
  expect(await findingsOf({ 'assets/index-B1.js': code })).toEqual([
    'silent-dialog@assets/index-B1.js',
    'fetch-elsewhere@assets/index-B1.js',
    'built-file@assets/index-B1.js',
  ]);
});

test('tests, stories and configurations of an app are not what its frame runs', async () => {
  const text = 'await fetch("x"); osapi.albums.get()';
  expect(
    await findingsOf({ 'a.gadget.ts': text, 'a.test.ts': text, 'vite.config.ts': text, 'tests/a.ts': text }),
  ).toEqual([]);
  await rm(folder, { recursive: true });
  expect(await findingsOf({ 'a.ts': text })).toEqual(['undeclared-call@', 'fetch-elsewhere@a.ts:1:7']); // the control
});

test('an absolute path is right where a builder reads the page, and nowhere else', async () => {
  const files = { ...page('<script type="module" src="/src/main.ts"></script>'), 'src/main.ts': '' };
  expect(await findingsOf(files)).toEqual([`absolute-path@index.html:1:${at + 27}`]);
  expect(await findingsOf({ ...files, 'vite.config.ts': '' })).toEqual([]);
});

test('an address that is none is a finding, no failure', async () => {
  expect(await findingsOf(page('<img src="//[">'))).toEqual([`bad-address@index.html:1:${at + 10}`]);
});

test('a host that no file names is a finding, one that is named is not', async () => {
  const hosts = ['https://pictures.example'];
  expect(await findingsOf({}, { hosts })).toEqual(['unused-host@gadget.json']);
  expect(await findingsOf(script('src = "https://pictures.example/" + name'), { hosts })).toEqual([]);
});

test("the demo's gadgets and the starters have no findings", async () => {
  const root = new URL('../../../../', import.meta.url).pathname;
  for (const path of ['birthdays', 'friends', 'notes', 'photos', 'stream'].map((id) => `demo/apps/${id}`)) {
    const { findings, manifest } = await checkApp(join(root, path));
    expect(manifest && appDeclares(manifest)).toBeDefined();
    expect(findings, path).toEqual([]);
  }
});

test('an address of the app cannot steer a terminal, nor fill it (security rule 25)', async () => {
  await findingsOf(page(`<img src="\u001b[2J\u202Egnp.a${'x'.repeat(100_000)}">`));
  const { findings } = await checkApp(folder);
  const [line = ''] = findings.map(findingLine);
  expect(line).toContain(': \\u{1b}[2J\\u{202e}gnp.ax');
  expect(line.length).toBeLessThan(700);
  expect(findings[0]?.what).toContain('\u001b[2J'); // the control: JSON escapes it by itself
});

test('files that are not regular ones do not block the check (security rule 33)', async () => {
  const names = ['app.js', 'page.html', 'style.css', 'package.json', '.gantry/last-run.json'];
  await findingsOf({});
  await mkdir(join(folder, '.gantry'));
  for (const name of names) execFileSync('mkfifo', [join(folder, name)]);
  const { findings, files } = await checkApp(folder);
  expect(findings).toEqual([]);
  expect(files).toMatchObject({
    served: [{ path: 'gadget.json' }, { path: 'index.html', size: sdk.length }],
    notServed: [],
  });
  for (const name of ['index.html', 'gadget.json']) {
    await rm(join(folder, name));
    execFileSync('mkfifo', [join(folder, name)]);
    expect((await checkApp(folder)).findings).toMatchObject([
      { level: 'error', id: name === 'index.html' ? 'manifest-page-missing' : 'manifest-missing' },
    ]);
  }
});

test('a page must be one that is served, and lie in the folder (security rule 33)', async () => {
  await mkdir(join(folder, 'node_modules'));
  await writeFile(join(folder, 'node_modules', 'x.html'), '');
  await mkdir(join(folder, 'views'));
  await symlink(import.meta.filename, join(folder, 'views', 'x.html'));
  expect(await findingsOf({}, { page: 'node_modules/x.html' })).toEqual(['manifest-value@gadget.json']);
  expect(await findingsOf({}, { page: 'views/x.html' })).toEqual(['manifest-page-missing@gadget.json']);
  expect(await findingsOf({}, { page: 'index.html' })).toEqual([]); // control
});

test('a folder stands for its files if none of them is served, and sizes are those of the files', async () => {
  await findingsOf({
    'b/c.js': '12',
    'b/d.ts': '',
    'tests/a/b.js': '',
    'tests/c.js': '',
    'src/x/y.ts': '',
    'key.pem': '',
  });
  await mkdir(join(folder, '.git'));
  await writeFile(join(folder, '.git', 'config'), '');
  const { files } = await checkApp(folder);
  expect(files?.served.map(({ path }) => path)).toEqual(['b/c.js', 'gadget.json', 'index.html']);
  expect(files?.served[0]).toEqual({ path: 'b/c.js', size: 2 });
  expect(files?.notServed).toEqual(['.git/', 'b/d.ts', 'key.pem', 'src/', 'tests/']);
});

test('the line about files names eight of those that are left out, and the largest of the others', () => {
  const notServed = [...'bcdefghijk'].map((letter) => `${letter}.pem`);
  const named = 'b.pem, c.pem, d.pem, e.pem, f.pem, g.pem, h.pem, i.pem';
  const served = [{ path: 'a.js', size: 900 }];
  expect(servedLine({ served, notServed })).toBe(`1 file, 900 B; not served: ${named} and 2 more`);
  const two = [...served, { path: 'film.mp4', size: 3_400_000 }];
  expect(servedLine({ served: two, notServed: [] })).toBe(
    '2 files, 3.4 MB (the largest: film.mp4, 3.4 MB): all of the folder',
  );
});
