import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type ProblemId, problems } from '../src/explain/problems.ts';
import { type Explanation, explain, type Happening, type Known } from '../src/record/index.ts';

const page = readFileSync(new URL('../../../docs/problems.md', import.meta.url), 'utf8');
const manifest = { uses: ['people.get'], hosts: ['https://a.example'], optional: { uses: ['activities.create'] } };

/** One happening for each problem. The docs show what `explain` says of it. */
const samples: Readonly<Record<ProblemId, readonly [Happening, Known?]>> = {
  'manifest-missing': [{ kind: 'manifest', problem: 'gadget.json is missing in /home/ann/gadget.' }],
  'manifest-json': [{ kind: 'manifest', problem: 'gadget.json:3:1 is not JSON: a comma too many.' }],
  'manifest-unknown-member': [
    { kind: 'manifest', problem: 'gadget.json: use must be left out: it has only name, uses. Did you mean "uses"?' },
  ],
  'manifest-page-missing': [
    { kind: 'manifest', problem: 'gadget.json: page names main.html, which is missing in /home/ann/gadget.' },
  ],
  'manifest-value': [{ kind: 'manifest', problem: 'gadget.json: height must be a number from 16 to 4000.' }],
  'build-failed': [
    { kind: 'build', problem: { message: 'Unexpected token', where: { file: 'src/main.ts', line: 3 } } },
  ],
  'x-frame-options': [{ kind: 'build', problem: { message: 'http://localhost:5173/ sends X-Frame-Options: DENY.' } }],
  'undeclared-call': [refused('gadget.json does not list it.', ['activities']), calling('activities.get')],
  'undeclared-field': [refused('Not allowed.', ['people.birthday']), calling('people.get')],
  'optional-not-asked': [refused('Not allowed.', ['activities.post']), calling('activities.create')],
  'permission-refused': [refused('Not allowed.', ['people']), calling('people.get')],
  'refused-unhandled': [{ kind: 'console', level: 'error', text: 'people.get: The site cannot be reached.' }],
  'posted-too-soon': [failed('RATE_LIMITED', { retryAfter: 12 }), calling('activities.create')],
  'rate-limited': [failed('RATE_LIMITED', { retryAfter: 12 }), calling('people.get')],
  'app-not-added': [failed('APP_NOT_ADDED'), calling('appdata.update')],
  'too-large': [failed('TOO_LARGE'), calling('appdata.get')],
  'storage-full': [failed('STORAGE_FULL'), calling('appdata.update')],
  'outcome-unknown': [failed('OUTCOME_UNKNOWN'), calling('activities.create')],
  'not-implemented': [failed('NOT_IMPLEMENTED'), calling('albums.get')],
  'signed-out': [failed('UNAUTHORIZED'), calling('people.get')],
  'bad-request': [failed('BAD_REQUEST'), calling('people.get')],
  unreachable: [failed('UNAVAILABLE'), calling('people.get')],
  'fetch-elsewhere': [{ kind: 'policy', directive: 'connect-src', blocked: 'https://b.example/cities' }],
  'host-not-listed': [{ kind: 'policy', directive: 'img-src', blocked: 'https://b.example/1.png' }, { manifest }],
  'insecure-address': [{ kind: 'policy', directive: 'script-src', blocked: 'http://b.example/x.js' }, { manifest }],
  'data-address': [{ kind: 'policy', directive: 'font-src', blocked: 'data' }],
  eval: [{ kind: 'policy', directive: 'script-src', blocked: 'eval' }],
  'frame-inside': [{ kind: 'policy', directive: 'frame-src', blocked: 'https://b.example/' }],
  'form-submit': [{ kind: 'policy', directive: 'form-action', blocked: 'https://b.example/' }],
  'base-element': [{ kind: 'policy', directive: 'base-uri', blocked: 'https://b.example/' }],
  'browser-storage': [
    { kind: 'script-error', message: "SecurityError: Failed to read 'localStorage': the document is sandboxed" },
  ],
  'no-sdk': [{ kind: 'incident', name: 'silent', detail: { loaded: true } }],
  'page-unreachable': [{ kind: 'incident', name: 'silent', detail: { loaded: false } }],
  'version-mismatch': [{ kind: 'incident', name: 'version', detail: undefined }],
  'unknown-call': [{ kind: 'script-error', message: 'TypeError: osapi.people.getFriends is not a function' }],
  throws: [{ kind: 'script-error', message: 'TypeError: list is undefined', where: { file: 'src/main.ts', line: 3 } }],
  'file-missing': [{ kind: 'file', element: 'img', address: 'images/cat.png' }],
  'picture-missing': [{ kind: 'file', element: 'img', address: 'http://127.0.0.1:4500/avatars/m-7.svg' }],
  'file-failed': [{ kind: 'file', element: 'img', address: 'https://a.example/cat.png' }, { manifest }],
  'resize-loop': [{ kind: 'incident', name: 'resize-loop', detail: undefined }],
  'silent-dialog': [{ kind: 'sandbox', name: 'alert' }],
  'silent-window': [{ kind: 'sandbox', name: 'open', target: 'https://b.example/' }],
  'left-page': [{ kind: 'incident', name: 'left', detail: undefined }],
  busy: [{ kind: 'incident', name: 'unresponsive', detail: undefined }],
  flood: [{ kind: 'incident', name: 'flood', detail: undefined }],
};

test('docs/problems.md says of every problem what explain says (guide for app authors)', () => {
  const rows = Object.entries(problems).map(([id, seen]) => {
    const [happening, known] = samples[id as ProblemId];
    const explained = explain(happening, known) as Explanation;
    expect(explained.id).toBe(id);
    const { what, cure } = explained;
    return `| \`${id}\` | ${cell(seen)} | ${cell(what)} | ${cell(cure)} |`;
  });
  expect([...page.matchAll(/^\| `.*$/gm)].map(([row]) => row)).toEqual(rows);
});

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

function calling(operation: string): Known {
  return { manifest, call: { operation } };
}

function failed(reason: string, data: object = {}): Happening {
  const error = { code: 500, message: 'The message of the site', data: { reason, ...data } };
  return { kind: 'reply', call: 1, tookMs: 1, size: 1, error };
}

function refused(message: string, missing: readonly string[]): Happening {
  const error = { code: 403, message, data: { reason: 'NOT_GRANTED', missing } };
  return { kind: 'reply', call: 1, tookMs: 1, size: 1, error };
}
