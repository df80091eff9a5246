import { expect, test } from 'vitest';
import { calls } from '../../osapi/src/services.ts';
import { createExplainer } from '../src/explain/create-explainer.ts';
import { appCalls } from '../src/explain/explain-script.ts';
import { troubles } from '../src/explain/troubles.ts';
import { type Entry, type Explanation, explain, type Known, type LabEvent } from '../src/record/index.ts';

const manifest = { uses: ['people.get'], hosts: ['https://a.example'], optional: { uses: ['activities.create'] } };
const own = { file: 'index.html', line: 3, column: 5 };
const refusal = (message: string, missing: readonly string[]) => ({
  code: 403,
  message,
  data: { reason: 'NOT_GRANTED', missing },
});

function reply(reason: string, data: object = {}): LabEvent {
  return { kind: 'reply', call: 1, tookMs: 1, size: 1, error: { code: 500, message: 'No', data: { reason, ...data } } };
}

const cases: readonly [title: string, entry: LabEvent, expected: Partial<Explanation>, known?: Known][] = [
  [
    'a gadget.json that is no JSON, with line and column',
    { kind: 'manifest', problem: 'gadget.json:3:1 is not JSON: there is a comma after the last item.' },
    { id: 'manifest-json', cure: 'Mend line 3, column 1.', where: { file: 'gadget.json', line: 3, column: 1 } },
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
    'a page that is not there',
    { kind: 'manifest', problem: 'gadget.json: page names main.html, which is missing in /home/ann/gadget.' },
    { id: 'manifest-page-missing', what: 'page names main.html, which is not there.' },
  ],
  [
    'a call that gadget.json does not list, with the line to write',
    {
      kind: 'reply',
      ...{ call: 1, tookMs: 1, size: 1 },
      error: refusal('activities.get is not granted: gadget.json does not list it in uses.', ['activities']),
    },
    { id: 'undeclared-call', example: '"uses": ["people.get", "activities.get"]' },
    { manifest, call: { operation: 'activities.get' } },
  ],
  [
    'a field that gadget.json does not list',
    {
      kind: 'reply',
      ...{ call: 1, tookMs: 1, size: 1 },
      error: refusal('The member has not allowed people.birthday.', ['people.birthday']),
    },
    { id: 'undeclared-field', example: '"fields": ["birthday"]' },
    { manifest, call: { operation: 'people.get' } },
  ],
  [
    'an optional permission that was not asked for',
    {
      kind: 'reply',
      ...{ call: 1, tookMs: 1, size: 1 },
      error: refusal('The member has not allowed activities.post.', ['activities.post']),
    },
    { id: 'optional-not-asked', example: "if (await gantry.permissions.request(['activities.post'])) …" },
    { manifest, call: { operation: 'activities.create' } },
  ],
  [
    'a permission that the member refused',
    {
      kind: 'reply',
      ...{ call: 1, tookMs: 1, size: 1 },
      error: refusal('The member has not allowed people.', ['people']),
    },
    { id: 'permission-refused' },
    { manifest, call: { operation: 'people.get' } },
  ],
  [
    'a post too soon',
    reply('RATE_LIMITED', { retryAfter: 12 }),
    { id: 'posted-too-soon', example: 'osapi.activities.create({ activity }, { write: { queue: true } })' },
    { call: { operation: 'activities.create' } },
  ],
  ['too many calls', reply('RATE_LIMITED'), { id: 'rate-limited' }, { call: { operation: 'people.get' } }],
  ['an app that the member does not have', reply('APP_NOT_ADDED'), { id: 'app-not-added' }],
  ['a write with an unknown outcome', reply('OUTCOME_UNKNOWN'), { id: 'outcome-unknown' }],
  ['what is too large', reply('TOO_LARGE'), { id: 'too-large' }],
  ['what the site cannot do', reply('NOT_IMPLEMENTED'), { id: 'not-implemented' }],
  [
    'fetch elsewhere',
    { kind: 'policy', directive: 'connect-src', blocked: 'https://api.example/cities', where: own },
    { id: 'fetch-elsewhere', subject: 'https://api.example/cities', where: own },
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
  ['a worker', { kind: 'policy', directive: 'worker-src', blocked: 'blob' }, { id: 'frame-inside' }],
  [
    'localStorage',
    {
      kind: 'script-error',
      message:
        "Uncaught SecurityError: Failed to read the 'localStorage' property from 'Window': The document is sandboxed and lacks the 'allow-same-origin' flag.",
      where: own,
    },
    { id: 'browser-storage', subject: 'localStorage', where: own },
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
      where: { ...own, text: 'osapi.persons.get().execute(show);' },
    },
    { id: 'unknown-call', subject: 'osapi.persons.get' },
  ],
  [
    'a script before the SDK',
    { kind: 'script-error', message: 'Uncaught ReferenceError: osapi is not defined' },
    { id: 'no-sdk', example: '<script src="/gantry/osapi.js"></script>' },
  ],
  [
    'a throw, with its line',
    {
      kind: 'script-error',
      message: "Uncaught TypeError: Cannot read properties of undefined (reading 'length')",
      where: { ...own, text: '  list.length;' },
    },
    { id: 'throws', example: 'list.length;', where: { ...own, text: '  list.length;' } },
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
    'a file of the site',
    { kind: 'file', element: 'script', address: 'http://127.0.0.1:4500/main.js' },
    { id: 'file-missing', example: './main.js' },
  ],
  ['alert', { kind: 'sandbox', name: 'alert' }, { id: 'silent-dialog' }],
  [
    'window.open',
    { kind: 'sandbox', name: 'open', target: 'https://b.example/' },
    { id: 'silent-window', example: 'gantry.ui.openLink("https://b.example/")' },
  ],
  ['an app without the SDK', { kind: 'incident', name: 'silent', detail: { loaded: true } }, { id: 'no-sdk' }],
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

test('every trouble has one sentence of what and one of cure', () => {
  for (const [title, entry, , known] of cases) {
    const { what, cure, id } = explain(entry, known) as Explanation;
    expect.soft(what, title).toMatch(/[.!?]$|Error/);
    expect.soft(cure, title).toMatch(/[.!?]$/);
    expect(Object.keys(troubles)).toContain(id);
  }
});

test.each<LabEvent>([
  { kind: 'manifest', asks: ['people'] },
  { kind: 'build' },
  { kind: 'reply', call: 1, ok: {}, tookMs: 1, size: 2 },
  { kind: 'console', level: 'error', text: 'activities: none' },
  { kind: 'console', level: 'log', text: 'people.get: fine' },
  { kind: 'file', element: 'img', address: 'https://refused.example/1.png' },
  { kind: 'long-task', ms: 80 },
  { kind: 'incident', name: 'error', detail: { message: 'TypeError: no' } },
])('explains nothing that is no trouble: %o', (entry) => {
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
  const head = { number: 1, atMs: 0, lab: 'lab', app: 'hello', place: 'hello#1' };
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

test('knows the calls that the SDK has and that a site can answer', () => {
  const working = Object.keys(calls).filter(
    (name) => !/^(people|albums|mediaItems)\.(create|update|delete)$/.test(name),
  );
  expect([...appCalls].sort()).toEqual(working.sort());
});
