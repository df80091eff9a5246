import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { explainFailedStart } from '../../container/src/chrome/explain-failed-start.ts';
import { calls } from '../../osapi/src/services.ts';
import { checkManifest } from '../../proxy/src/apps/manifest.ts';
import { appDataTooLarge } from '../../service/src/fields/app-data.ts';
import { createExplainer } from '../src/explain/create-explainer.ts';
import { appCalls } from '../src/explain/explain-script.ts';
import type { Known } from '../src/explain/explanation.ts';
import { type ProblemId, problem, problems } from '../src/explain/problems.ts';
import { type Entry, type Explanation, explain, type LabEvent } from '../src/record.ts';

const manifest = { uses: ['people.get'], hosts: ['https://a.example'], optional: { uses: ['activities.create'] } };
const sdkTag = '<script src="/gantry/osapi.js"></script>';
const at = { file: 'index.html', line: 3, column: 5 };
const refusal = (message: string, missing: readonly string[]) => ({
  code: 403,
  message,
  data: { reason: 'NOT_GRANTED', missing },
});

function calling(operation: string): Known {
  return { manifest, call: { operation } };
}

function reply(reason: string, data: object = {}): LabEvent {
  return {
    kind: 'reply',
    call: 1,
    tookMs: 1,
    size: 1,
    error: { code: 500, message: 'The message of the site', data: { reason, ...data } },
  };
}

function unknownMember(name: string): string {
  try {
    checkManifest({ name: 'A', page: 'index.html', [name]: [] });
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

const cases: readonly [title: string, entry: LabEvent, expected: Partial<Explanation>, known?: Known][] = [
  [
    'a gadget.json that is no JSON, with line and column',
    { kind: 'manifest', problem: 'gadget.json:3:1 is not JSON: there is a comma after the last item.' },
    { id: 'manifest-json', cure: 'Correct line 3, column 1.', where: { file: 'gadget.json', line: 3, column: 1 } },
  ],
  [
    'an unknown member, with the one that was meant',
    {
      kind: 'manifest',
      problem: 'gadget.json: use must be left out: a manifest has only name, page, uses. Did you mean "uses"?',
    },
    { id: 'manifest-unknown-member', cure: 'Call it "uses".', what: 'gadget.json has no member "use".' },
  ],
  [
    'permissions as other platforms have them, with what asks members here',
    { kind: 'manifest', problem: unknownMember('permissions') },
    { id: 'manifest-unknown-member', cure: expect.stringContaining('`uses`'), example: '"uses": ["people.get"]' },
  ],
  [
    'a page that is not there',
    { kind: 'manifest', problem: 'gadget.json: page names main.html, which is missing in /home/ann/gadget.' },
    { id: 'manifest-page-missing', what: 'page names main.html, which is not there.' },
  ],
  ['no gadget.json', { kind: 'manifest', problem: 'gadget.json is missing in /home/ann.' }, { id: 'manifest-missing' }],
  [
    'no folder',
    { kind: 'manifest', problem: 'There is no folder /home/ann.' },
    { id: 'manifest-missing', what: 'There is no folder /home/ann.' },
  ],
  [
    'a value that cannot be',
    { kind: 'manifest', problem: 'gadget.json: height must be a number from 1 to 5000.' },
    { id: 'manifest-value' },
  ],
  [
    'a file that does not compile',
    { kind: 'build', problem: { message: 'SyntaxError: Unexpected token', where: { file: 'src/main.ts', line: 3 } } },
    { id: 'build-failed' },
  ],
  [
    'a call that gadget.json does not list, with the line to write',
    {
      kind: 'reply',
      ...{ call: 1, tookMs: 1, size: 1 },
      error: refusal('activities.get is not granted: gadget.json does not list it in uses.', ['activities']),
    },
    { id: 'undeclared-call', example: '"uses": ["people.get", "activities.get"]' },
    calling('activities.get'),
  ],
  [
    'a field that gadget.json does not list',
    {
      kind: 'reply',
      ...{ call: 1, tookMs: 1, size: 1 },
      error: refusal('The member has not allowed people.birthday.', ['people.birthday']),
    },
    { id: 'undeclared-field', example: '"fields": ["birthday"]' },
    calling('people.get'),
  ],
  [
    'an optional permission that was not asked for',
    {
      kind: 'reply',
      ...{ call: 1, tookMs: 1, size: 1 },
      error: refusal('The member has not allowed activities.post.', ['activities.post']),
    },
    { id: 'optional-not-asked', example: "if (await gantry.permissions.request(['activities.post'])) …" },
    calling('activities.create'),
  ],
  [
    'a permission that the member refused',
    {
      kind: 'reply',
      ...{ call: 1, tookMs: 1, size: 1 },
      error: refusal('The member has not allowed people.', ['people']),
    },
    { id: 'permission-refused' },
    calling('people.get'),
  ],
  [
    'a post too soon',
    reply('RATE_LIMITED', { retryAfter: 12 }),
    { id: 'posted-too-soon', example: 'osapi.activities.create({ activity }, { write: { queue: true } })' },
    calling('activities.create'),
  ],
  ['too many calls', reply('RATE_LIMITED'), { id: 'rate-limited' }, calling('people.get')],
  [
    'too many writes, with the cure of writes',
    reply('RATE_LIMITED'),
    { id: 'rate-limited', cure: expect.stringMatching(/^Write once/) },
    calling('appdata.update'),
  ],
  ['an app that the member does not have', reply('APP_NOT_ADDED'), { id: 'app-not-added' }, calling('appdata.update')],
  [
    'a write with an unknown outcome',
    reply('OUTCOME_UNKNOWN'),
    { id: 'outcome-unknown' },
    calling('activities.create'),
  ],
  ['what is too large', reply('TOO_LARGE'), { id: 'too-large' }, calling('appdata.get')],
  [
    'too much AppData, with its bound',
    { kind: 'reply', call: 1, tookMs: 1, size: 1, error: appDataTooLarge().toWire() },
    { id: 'too-large', cure: expect.stringContaining('102,400 bytes and 1,000 keys') },
    calling('appdata.update'),
  ],
  ['what the site cannot do', reply('NOT_IMPLEMENTED'), { id: 'not-implemented' }, calling('albums.get')],
  ['no room', reply('STORAGE_FULL'), { id: 'storage-full' }, calling('appdata.update')],
  ['a visitor', reply('UNAUTHORIZED'), { id: 'signed-out' }, calling('people.get')],
  ['wrong parameters', reply('BAD_REQUEST'), { id: 'bad-request' }, calling('people.get')],
  ['a site out of reach', reply('TIMED_OUT'), { id: 'unreachable' }, calling('people.get')],
  [
    'fetch elsewhere',
    { kind: 'policy', directive: 'connect-src', blocked: 'https://api.example/cities', where: at },
    { id: 'fetch-elsewhere', subject: 'https://api.example/cities', where: at },
  ],
  [
    'a picture of an origin that hosts does not list',
    { kind: 'policy', directive: 'img-src', blocked: 'https://b.example/1.png' },
    { id: 'host-not-listed', example: '"hosts": ["https://a.example", "https://b.example"]' },
    { manifest },
  ],
  [
    'a script over http',
    { kind: 'policy', directive: 'script-src-elem', blocked: 'http://b.example/x.js' },
    { id: 'insecure-address', example: '"hosts": ["https://a.example", "https://b.example"]' },
    { manifest },
  ],
  ['a font in a data: address', { kind: 'policy', directive: 'font-src', blocked: 'data' }, { id: 'data-address' }],
  ['eval', { kind: 'policy', directive: 'script-src', blocked: 'eval' }, { id: 'eval' }],
  ['a form', { kind: 'policy', directive: 'form-action', blocked: 'https://b.example/' }, { id: 'form-submit' }],
  ['a worker', { kind: 'policy', directive: 'worker-src', blocked: 'blob' }, { id: 'starts-worker' }],
  ['a frame', { kind: 'policy', directive: 'frame-src', blocked: 'https://b.example/' }, { id: 'frame-inside' }],
  ['a base element', { kind: 'policy', directive: 'base-uri', blocked: 'https://b.example/' }, { id: 'base-element' }],
  [
    'localStorage',
    {
      kind: 'script-error',
      message:
        "Uncaught SecurityError: Failed to read the 'localStorage' property from 'Window': The document is sandboxed and lacks the 'allow-same-origin' flag.",
      where: at,
    },
    { id: 'browser-storage', subject: 'localStorage', where: at },
  ],
  [
    'IndexedDB',
    {
      kind: 'script-error',
      message:
        "Uncaught SecurityError: Failed to execute 'open' on 'IDBFactory': access to the Indexed Database API is denied in this context.",
    },
    { id: 'browser-storage', subject: 'indexedDB' },
  ],
  [
    'a cookie',
    {
      kind: 'script-error',
      message:
        "SecurityError: Failed to set the 'cookie' property on 'Document': The document is sandboxed and lacks the 'allow-same-origin' flag.",
      rejection: true,
    },
    { id: 'browser-storage', subject: 'cookie' },
  ],
  [
    'a call that does not exist, with the one that was meant',
    { kind: 'script-error', message: 'Uncaught TypeError: osapi.people.getFriends is not a function' },
    { id: 'unknown-call', cure: 'Did you mean osapi.people.getViewerFriends?' },
  ],
  [
    'a service that does not exist',
    {
      kind: 'script-error',
      message: "Uncaught TypeError: Cannot read properties of undefined (reading 'get')",
      where: { ...at, text: 'osapi.persons.get().execute(show);' },
    },
    { id: 'unknown-call', subject: 'osapi.persons.get' },
  ],
  ['an app without the SDK', { kind: 'incident', name: 'silent', detail: { loaded: true } }, { id: 'no-sdk' }],
  [
    'an app of another server without the SDK, whose server has no /gantry/osapi.js',
    { kind: 'incident', name: 'silent', detail: { loaded: true } },
    { id: 'no-sdk', example: '<script src="osapi.js"></script>' },
    { isRemote: true },
  ],
  [
    'a script before the SDK',
    { kind: 'script-error', message: 'Uncaught ReferenceError: osapi is not defined' },
    { id: 'no-sdk', example: sdkTag },
  ],
  [
    'a throw, with its line',
    {
      kind: 'script-error',
      message: "Uncaught TypeError: Cannot read properties of undefined (reading 'length')",
      where: { ...at, text: '  list.length;' },
    },
    { id: 'throws', example: 'list.length;', where: { ...at, text: '  list.length;' } },
  ],
  [
    'a plain script with imports',
    { kind: 'script-error', message: 'Uncaught SyntaxError: Cannot use import statement outside a module', where: at },
    { id: 'not-a-module', example: '<script type="module" …', where: at },
  ],
  ...[
    "Uncaught SyntaxError: Unexpected token 'export'",
    "Uncaught SyntaxError: Cannot use 'import.meta' outside a module",
    'SyntaxError: import declarations may only appear at top level of a module', // Firefox
    'SyntaxError: export declarations may only appear at top level of a module',
    "SyntaxError: Unexpected keyword 'export'", // Safari
    "SyntaxError: Unexpected identifier 'osapi'. import call expects one or two arguments.",
  ].map((message): (typeof cases)[number] => [message, { kind: 'script-error', message }, { id: 'not-a-module' }]),
  [
    'an error that the browser hides, with what shows it',
    { kind: 'script-error', message: 'Script error.' },
    { id: 'throws', cure: expect.stringContaining('crossorigin') },
  ],
  [
    'a refused subscription that nothing handles',
    {
      kind: 'console',
      level: 'error',
      text: 'activities.get: activities.get is not granted: gadget.json does not list it in uses.',
    },
    { id: 'refused-unhandled', example: '"uses": ["people.get", "activities.get"]' },
    { manifest },
  ],
  [
    'a file that is written otherwise',
    { kind: 'file', element: 'img', address: 'Images/cat.png' },
    { id: 'file-missing', cure: 'Did you mean images/cat.png?' },
    { files: ['index.html', 'images/cat.png'] },
  ],
  [
    'a file of the app by its address, as tests see it',
    { kind: 'file', element: 'style', address: 'http://127.0.0.1:4500/gantry/apps/notes/Run-1~lab/img/cat.png?v=1' },
    { id: 'file-missing', subject: 'img/cat.png' },
  ],
  [
    'a file of the site',
    { kind: 'file', element: 'script', address: 'http://127.0.0.1:4500/main.js' },
    { id: 'absolute-path', example: './main.js' },
  ],
  [
    'a picture that only the data name',
    { kind: 'file', element: 'img', address: 'http://127.0.0.1:4500/avatars/m-7.svg' },
    { id: 'picture-missing' },
  ],
  [
    'a listed server without the file',
    { kind: 'file', element: 'img', address: 'https://a.example/cat.png' },
    { id: 'file-failed' },
    { manifest },
  ],
  ['alert', { kind: 'sandbox', name: 'alert' }, { id: 'silent-dialog' }],
  [
    'window.open',
    { kind: 'sandbox', name: 'open', target: 'https://b.example/' },
    { id: 'silent-window', example: 'gantry.ui.openLink("https://b.example/")' },
  ],
  ['full screen', { kind: 'sandbox', name: 'requestFullscreen', where: at }, { id: 'full-screen', where: at }],
  ['sharing', { kind: 'sandbox', name: 'navigator.share' }, { id: 'web-share' }],
  ['a notification', { kind: 'sandbox', name: 'Notification' }, { id: 'notifications' }],
  ['a payment', { kind: 'sandbox', name: 'PaymentRequest' }, { id: 'payments' }],
  ['a download', { kind: 'sandbox', name: 'download' }, { id: 'downloads' }],
  ['a worker whose error is caught', { kind: 'sandbox', name: 'Worker' }, { id: 'starts-worker' }],
  [
    'a wake lock',
    { kind: 'sandbox', name: 'navigator.wakeLock' },
    { id: 'uses-device', cure: 'Remove it: a site cannot allow it.' },
  ],
  [
    'the clipboard',
    { kind: 'sandbox', name: 'navigator.clipboard' },
    { id: 'uses-device', cure: 'Show the text in a field, to select and copy, or offer `gantry.ui.share`.' },
  ],
  [
    'storage whose error is caught',
    { kind: 'sandbox', name: 'indexedDB' },
    { id: 'browser-storage', subject: 'indexedDB' },
  ],
  [
    'a parameter that is misspelt',
    { kind: 'call', call: 1, operation: 'people.get', params: { userId: '@viewer', feilds: ['birthday'] } },
    { id: 'unknown-parameter', subject: 'people.get feilds', example: 'osapi.people.get({ fields: … })' },
  ],
  [
    'a parameter that no call has',
    { kind: 'call', call: 1, operation: 'appdata.delete', params: { everything: true } },
    { id: 'unknown-parameter', cure: 'Leave it out: there are userId, groupId, appId, keys, fields.' },
  ],
  [
    'AppData with the text of an object',
    { kind: 'call', call: 1, operation: 'appdata.update', params: { data: { scores: '[object Object]' } } },
    { id: 'object-as-text', subject: 'appdata.update' },
  ],
  [
    'state with the text of an object',
    { kind: 'action', name: 'state.set', params: ['at [object Object]'] },
    { id: 'object-as-text', subject: 'gantry.state.set' },
  ],
  [
    'a state that is too large',
    {
      ...{ kind: 'action', name: 'state.set', params: { leftOut: true } },
      error: {
        ...{ code: 413, message: 'An app may keep 65536 bytes of JSON text here.' },
        data: { reason: 'TOO_LARGE' },
      },
    },
    { id: 'state-too-large', subject: 'gantry.state.set' },
  ],
  ['a height that is never set', { kind: 'cut-off' }, { id: 'cut-off' }],
  [
    'an address without a server',
    { kind: 'incident', name: 'silent', detail: { loaded: false } },
    { id: 'page-unreachable' },
  ],
  [
    'an error of a remote app, of which only the page heard',
    { kind: 'incident', name: 'error', detail: { message: 'TypeError: osapi.people.getFriends is not a function' } },
    { id: 'unknown-call' },
    { isRemote: true },
  ],
  ['100vh', { kind: 'incident', name: 'resize-loop', detail: {} }, { id: 'resize-loop' }],
  ['two versions', { kind: 'load', what: 'failed', why: 'version' }, { id: 'version-mismatch' }],
  ['a link out of the page', { kind: 'incident', name: 'left', detail: {} }, { id: 'left-page' }],
  ['a page that refuses the frame', { kind: 'incident', name: 'blocked', detail: {} }, { id: 'frame-refused' }],
  ['a script without a pause', { kind: 'long-task', ms: 1_520 }, { id: 'busy' }],
  ['a flood', { kind: 'incident', name: 'flood', detail: {} }, { id: 'flood' }],
  ['four links out of the page', { kind: 'load', what: 'failed', why: 'reloads' }, { id: 'left-page' }],
  [
    'a server that forbids frames',
    { kind: 'build', problem: { message: 'http://localhost:5173/ sends X-Frame-Options: DENY.' } },
    { id: 'x-frame-options' },
  ],
];

test.each(cases)('explains %s', (_title, entry, expected, known) => {
  expect(explain(entry, known)).toMatchObject(expected);
});

/** Problems that only `gantry app check` or several entries show. */
const other = [
  problem('bad-address', { address: 'https://[' }),
  problem('write-loop', { call: 'appdata.update', times: 30, seconds: 3 }),
  problem('storage-needs-host'),
  problem('no-version', { mistake: 'A version has at most 2000 files.' }),
  problem('file-not-served', { name: 'tests/a.js' }),
  problem('unreadable', { mistake: 'is no script: Unexpected token' }),
  problem('built-file', { file: 'assets/index.js' }),
  problem('unused-call', { call: 'albums.get' }),
  problem('unused-host', { origin: 'https://b.example' }),
  problem('run-needs', { list: 'fields', name: 'birthday' }),
  problem('not-tried', { call: 'albums.get' }),
  problem('preload-never-hit', { call: 'people.get', index: 0 }),
  problem('old-run'),
];

test('docs/problems.md is the table, with what explain says of each problem (guide for app authors)', () => {
  const page = readFileSync(new URL('../../../docs/problems.md', import.meta.url), 'utf8');
  const explained = [...cases.map(([, entry, , known]) => explain(entry, known) as Explanation), ...other];
  const rows = Object.entries(problems).map(([id, { symptom }]) => {
    const { what, cure } = explained.find((each) => each.id === id) as Explanation;
    return `| \`${id}\` | ${[symptom, what, cure].map((text) => text.replaceAll('|', '\\|')).join(' | ')} |`;
  });
  expect([...page.matchAll(/^\| `.*$/gm)].map(([row]) => row)).toEqual(rows);
});

test('each problem has one sentence of what and one of cure, and no text stands twice', () => {
  const texts = [...cases.map(([, entry, , known]) => explain(entry, known) as Explanation), ...other];
  for (const { what, cure, id } of texts) {
    expect.soft(what, id).toMatch(/[.!?]$|Error/);
    expect.soft(cure, id).toMatch(/[.!?]$/);
  }
  const fixed = Object.values(problems).flatMap((row) => Object.values(row).filter((text) => typeof text === 'string'));
  expect(fixed.filter((text, index) => fixed.indexOf(text) !== index)).toEqual(['{message}']);
});

test.each<[ProblemId, LabEvent, Parameters<typeof explainFailedStart>[0]]>([
  ['no-sdk', { kind: 'incident', name: 'silent', detail: { loaded: true } }, { why: 'silent', loaded: true }],
  [
    'page-unreachable',
    { kind: 'incident', name: 'silent', detail: { loaded: false } },
    { why: 'silent', loaded: false },
  ],
  ['frame-refused', { kind: 'incident', name: 'blocked', detail: {} }, { why: 'blocked', loaded: false }],
])('the card of a page says the same of %s, and names the address', (_id, entry, ended) => {
  const { what, cure } = explain(entry) as Explanation;
  const card = explainFailedStart(ended, 'https://apps.example/gantry/apps/notes/index.html');
  expect(card?.replace(/https:\S+[^\s,]/, "the app's address")).toBe(`${what} ${cure}`);
});

test.each<LabEvent>([
  { kind: 'manifest', asks: ['people'] },
  { kind: 'build' },
  { kind: 'reply', call: 1, ok: {}, tookMs: 1, size: 2 },
  { kind: 'console', level: 'error', text: 'activities: none' },
  { kind: 'console', level: 'log', text: 'people.get: fine' },
  { kind: 'file', element: 'img', address: 'https://refused.example/1.png' },
  { kind: 'long-task', ms: 80 },
  { kind: 'call', call: 1, operation: 'people.get', params: { userId: '@viewer', fields: ['birthday'] } },
  { kind: 'call', call: 1, operation: 'constructor', params: { a: 1 } },
  { kind: 'call', call: 1, operation: 'appdata.update', params: { data: { object: { a: 1 } } } },
  { kind: 'action', name: 'state.set', params: [{ object: { a: 1 } }] },
  { kind: 'action', name: 'setTitle', params: ['[object Object]'] },
  { kind: 'incident', name: 'error', detail: { message: 'TypeError: no' } },
])('explains nothing that is no problem: %o', (entry) => {
  expect(explain(entry)).toBeUndefined();
});

test('a reload by the own server of a remote app is no trouble', () => {
  expect(explain({ kind: 'incident', name: 'left', detail: {} }, { isRemote: true })).toBeUndefined();
});

test('a file that is there is not called missing: its build says what is wrong', () => {
  const entry: LabEvent = { kind: 'file', element: 'script', address: 'src/main.ts' };
  expect(explain(entry, { files: ['src/main.ts'] })).toBeUndefined();
});

test('a manifest may be any JSON', () => {
  const entry: LabEvent = { kind: 'policy', directive: 'img-src', blocked: 'https://b.example/1.png' };
  for (const odd of [{ hosts: 'https://a.example' }, { hosts: [1, null] }, { optional: null }, { uses: {} }]) {
    expect(explain(entry, { manifest: odd })).toMatchObject({ example: '"hosts": ["https://b.example"]' });
  }
});

test('a reply is explained with the call that it answers', () => {
  const explainer = createExplainer({ manifestOf: () => manifest });
  explainer({ ...head, kind: 'call', call: 7, operation: 'activities.create', params: {} });
  const refused: Entry = {
    ...head,
    kind: 'reply',
    call: 7,
    tookMs: 1,
    size: 1,
    error: { code: 429, message: 'Too soon', data: { reason: 'RATE_LIMITED', retryAfter: 3 } },
  };
  expect(explainer(refused)).toMatchObject({ id: 'posted-too-soon' });
  expect(explainer({ ...refused, place: 'hello#2' })).toMatchObject({ id: 'rate-limited' });
});

const head = { number: 1, atMs: 0, lab: 'lab', app: 'hello', place: 'hello#1' };

test.each<[title: string, LabEvent]>([
  ['it sets its height', { kind: 'action', name: 'adjustHeight', params: [300] }],
  ['its frame follows the content', { kind: 'context', context: { sizing: 'automatic', view: 'home' } }],
  ['it fills the window', { kind: 'context', context: { view: 'canvas.map' } }],
])('a gadget that is taller than its frame is no problem if %s', (_title, before) => {
  const explainer = createExplainer({});
  const cutOff: Entry = { ...head, kind: 'cut-off' };
  explainer({ ...head, kind: 'context', context: { view: 'home' } });
  expect(explainer(cutOff)).toMatchObject({ id: 'cut-off' });
  explainer({ ...head, ...before });
  expect(explainer(cutOff)).toBeUndefined();
  explainer({ ...head, kind: 'load', what: 'start' });
  expect(explainer(cutOff)).toMatchObject({ id: 'cut-off' });
});

const silent: Entry = { ...head, kind: 'incident', name: 'silent', detail: { loaded: true } };

test('thirty writes within three seconds are a loop, and refusals that it causes are explained as it', () => {
  const explainer = createExplainer({});
  const write = (atMs: number, operation = 'appdata.update') =>
    explainer({ ...head, atMs, kind: 'call', call: atMs, operation, params: {} });
  const lines = Array.from({ length: 30 }, (_, index) => write(index * 100));
  expect(lines.slice(0, 29)).toEqual(Array.from({ length: 29 }));
  expect(lines[29]).toMatchObject({ id: 'write-loop', subject: 'appdata.update' });
  for (const reason of ['RATE_LIMITED', 'STORAGE_FULL']) {
    expect(explainer({ ...head, ...(reply(reason) as Extract<Entry, { kind: 'reply' }>) })?.id).toBe('write-loop');
  }
  explainer({ ...head, kind: 'load', what: 'start' });
  expect(explainer({ ...head, ...(reply('STORAGE_FULL') as Extract<Entry, { kind: 'reply' }>) })?.id).toBe(
    'storage-full',
  );
});

test('reads, and writes as fast as a member types, are no loop', () => {
  const explainer = createExplainer({});
  for (let index = 0; index < 100; index++) {
    const call = { ...head, kind: 'call', call: index, params: {} } as const;
    expect(explainer({ ...call, atMs: index * 125, operation: 'appdata.update' })).toBeUndefined();
    expect(explainer({ ...call, atMs: index, operation: 'people.get' })).toBeUndefined();
  }
});

test.each<[string, LabEvent, LabEvent]>([
  ['cannot be built', { kind: 'build', problem: { message: 'Unexpected token' } }, { kind: 'build' }],
  [
    'has imports in a plain script',
    { kind: 'script-error', message: 'Uncaught SyntaxError: Cannot use import statement outside a module' },
    { kind: 'load', what: 'start' },
  ],
  [
    'names its script by a path of another site',
    { kind: 'file', element: 'script', address: 'http://127.0.0.1:4500/assets/main.js' },
    { kind: 'load', what: 'start' },
  ],
  [
    'is loaded anew since it was busy',
    { kind: 'incident', name: 'unresponsive', detail: {} },
    { kind: 'load', what: 'ready' },
  ],
])('an app that %s is not reported as missing the SDK until that is corrected', (_why, broken, corrected) => {
  const explainer = createExplainer({});
  explainer({ ...head, ...broken });
  expect(explainer(silent)).toBeUndefined();
  explainer({ ...head, ...corrected });
  expect(explainer(silent)).toMatchObject({ id: 'no-sdk' });
});

test('knows the calls that the SDK has and that a site can answer', () => {
  const working = Object.keys(calls).filter(
    (name) => !/^(people|albums|mediaItems)\.(create|update|delete)$/.test(name),
  );
  expect([...appCalls].sort()).toEqual(working.sort());
});
