import { type OperationId, operation as rowOf } from '@gantry/wire';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { replyOf } from '../../src/replies/reply.ts';

const asker = { app: 'friends', viewer: '7', owner: '8' };
const nowMs = Date.parse('Thu, 01 Jan 2026 00:00:00 GMT');

function reply(
  operation: OperationId,
  body: unknown,
  { status = 200, retryAfter, fields = '' }: { status?: number; retryAfter?: string | undefined; fields?: string } = {},
) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const query = fields === '' ? [] : [['fields', fields] as const];
  const request = { operation, method: rowOf(operation).method, segments: [], query };
  return replyOf({ status, retryAfter, text }, { request, asker, hidden: ['ck-4711', 'cs-0815'], nowMs });
}

test("a list is a Collection, and the owner is the page's, not the requester (app surface; contract §1)", () => {
  const entry = [
    { id: '7', isOwner: true, displayName: 'Ann' },
    { id: '8', isOwner: false, displayName: 'Ben' },
  ];
  expect(reply('people.getFriends', { entry, startIndex: 0, totalResults: 2, itemsPerPage: 20 })).toEqual({
    ok: {
      list: [
        { id: '7', isOwner: false, displayName: 'Ann' },
        { id: '8', isOwner: true, displayName: 'Ben' },
      ],
      startIndex: 0,
      totalResults: 2,
      itemsPerPage: 20,
    },
  });
});

test('a person has the basic and the requested fields, whatever the site sends (contract §2)', () => {
  const ann = { id: '7', displayName: 'Ann', birthday: '1990/01/01', gender: 'female', phone: '123', people: 'x' };
  const list = { startIndex: 0, totalResults: 1, itemsPerPage: 20 };
  expect(reply('people.getSelf', { entry: ann })).toEqual({ ok: { id: '7', displayName: 'Ann', isOwner: false } });
  expect(reply('people.getFriends', { entry: [ann, 'Ben', null], ...list }, { fields: 'aboutMe,birthday' })).toEqual({
    ok: {
      list: [
        { id: '7', displayName: 'Ann', birthday: '1990/01/01', isOwner: false },
        { isOwner: false },
        { isOwner: false },
      ],
      ...list,
    },
  });
});

test('several members by id are a Collection too (contract §1)', () => {
  const body = { entry: [{ id: '1' }], startIndex: 0, totalResults: 1, itemsPerPage: 20 };
  expect(reply('people.getSelf', body)).toEqual({
    ok: { list: [{ id: '1', isOwner: false }], startIndex: 0, totalResults: 1, itemsPerPage: 20 },
  });
});

test('a single entry is the bare object', () => {
  expect(reply('people.getSelf', { entry: { id: '8' } })).toEqual({ ok: { id: '8', isOwner: true } });
});

test('only people have an owner', () => {
  const body = { entry: [{ id: '8', title: 'Hi' }], startIndex: 0, totalResults: 1, itemsPerPage: 20 };
  expect(reply('activities.getSelf', body)).toMatchObject({ ok: { list: [{ id: '8', title: 'Hi' }] } });
});

test.each([
  [{ entry: [], startIndex: null, totalResults: null, itemsPerPage: null }, 0],
  [{ entry: null }, 0],
  [{ entry: [], startIndex: '0', totalResults: '0', itemsPerPage: '20' }, 20],
  [null, 0],
  [[], 0],
])('%j is an empty Collection with numbers (app surface)', (body, itemsPerPage) => {
  expect(reply('people.getFriends', body)).toEqual({ ok: { list: [], startIndex: 0, totalResults: 0, itemsPerPage } });
});

test.each([
  ['{"entry":[]}', {}],
  ['{"entry":null}', {}],
  ['{"entry":{}}', {}],
  ['null', {}],
  ['[]', {}],
  ['', {}],
  ['{"entry":{"7":[]}}', { '7': {} }],
  ['{"entry":{"7":null}}', { '7': {} }],
  ['{"entry":{"7":["a","b"]}}', { '7': { '0': 'a', '1': 'b' } }],
  ['{"entry":{"7":{"a":"1"}}}', { '7': { a: '1' } }],
])('AppData %s is a map (app surface)', (text, ok) => {
  expect(reply('appData.getSelf', text)).toEqual({ ok });
});

test('keys such as __proto__ are data (security rule 19)', () => {
  const answer = reply('appData.getSelf', '{"entry":{"7":{"__proto__":"x","constructor":"y"}}}');
  expect(JSON.stringify(answer)).toBe('{"ok":{"7":{"__proto__":"x","constructor":"y"}}}');
});

test.each(['', 'OK', '{}', '{"entry":{}}', '{"entry":[]}', '[]', 'null'])('a write answered by %j is {}', (text) => {
  expect(reply('appData.update', text)).toEqual({ ok: {} });
});

test('a post answers the activity', () => {
  expect(reply('activities.create', { entry: { id: '5', title: 'Hi' } })).toEqual({ ok: { id: '5', title: 'Hi' } });
});

test('an error becomes number, text and word', () => {
  const body = { error: { code: 404, message: 'There is no such member.' } };
  const error = { code: 404, message: 'There is no such member.', data: { reason: 'NOT_FOUND' } };
  expect(reply('people.getSelf', body, { status: 404 })).toEqual({ error });
  expect(reply('people.getSelf', body, { status: 200 })).toEqual({ error });
});

test.each([
  ['Not found\n', 'Not found'],
  [
    '<!DOCTYPE html><html><head><title>Oops</title><script>alert(1)</script></head><body><h1>No  such page</h1>',
    'Oops No such page',
  ],
  ['<img src=x onerror=alert(1)', 'The site answered 404.'],
  ['', 'The site answered 404.'],
  ['[]', '[]'],
  [`${'long '.repeat(10_000)}`, 'long '.repeat(40)],
])('the error page %j becomes a line of text', (text, message) => {
  expect(reply('people.getSelf', text.slice(0, 60_000), { status: 404 })).toEqual({
    error: { code: 404, message, data: { reason: 'NOT_FOUND' } },
  });
});

test('no error text of any site carries a tag', () => {
  const body = { error: { code: 400, message: 'bad <script>alert(1)</script><b onclick=x>title' } };
  expect(reply('activities.create', body, { status: 400 })).toEqual({
    error: { code: 400, message: 'bad title', data: { reason: 'BAD_REQUEST' } },
  });
});

test('no tag survives in any notation', () => {
  const piece = fc.constantFrom(
    '<',
    '>',
    '/',
    'script',
    '</script>',
    '<b',
    'onload=x',
    ' ',
    '<!--',
    '-->',
    '<<',
    'style',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const answer = reply('people.getSelf', pieces.join(''), { status: 404 });
      expect('error' in answer && answer.error.message).not.toMatch(/<\/?[a-z]|<!/i);
    }),
  );
});

test.each([
  ["our service's", '{"error":{"code":500,"message":"Too soon."}}', '12', 12],
  ['a foreign one in plain text', 'Internal Server Error', undefined, 30],
  ['a foreign one without a body', '', undefined, 30],
  ['a foreign one with a date', '', 'Thu, 01 Jan 2026 00:00:21 GMT', 21],
])('the interval, %s, is a rate limit (app surface)', (_, text, retryAfter, wait) => {
  expect(reply('activities.create', text, { status: 500, retryAfter })).toEqual({
    error: {
      code: 429,
      message: 'This member posted a moment ago.',
      data: { reason: 'RATE_LIMITED', retryAfter: wait },
    },
  });
});

test('a fault of our own service is no interval (contract §4)', () => {
  const body = { error: { code: 500, message: 'Something went wrong.' } };
  expect(reply('activities.create', body, { status: 500 })).toEqual({
    error: { code: 500, message: 'Something went wrong.', data: { reason: 'INTERNAL' } },
  });
  expect(reply('people.getSelf', 'Internal Server Error', { status: 500 })).toMatchObject({ error: { code: 500 } });
});

test.each(['999999999', 'Fri, 31 Dec 9999 23:59:59 GMT'])('a wait of %s is a day (security rule 25)', (retryAfter) => {
  const day = { data: { retryAfter: 86_400 } };
  expect(reply('people.getSelf', 'Busy', { status: 503, retryAfter })).toMatchObject({ error: day });
  expect(reply('activities.create', '', { status: 500, retryAfter })).toMatchObject({ error: day });
});

test('Retry-After of an overloaded site is kept (contract §4)', () => {
  expect(reply('people.getSelf', 'Busy', { status: 503, retryAfter: '5' })).toEqual({
    error: { code: 503, message: 'Busy', data: { reason: 'UNAVAILABLE', retryAfter: 5 } },
  });
});

test.each([
  'No leave for ck-4711',
  `${'x'.repeat(195)} cs-0815`, // cutting first would let a part through
  'Authorization: OAuth oauth_nonce="1"',
  '{"error":{"code":400,"message":"No leave for ck-4711"}}',
])('an error that quotes what we sent is not passed on: %s (security rule 8)', (text) => {
  expect(reply('people.getSelf', text, { status: 400 })).toEqual({
    error: { code: 400, message: 'The site answered 400.', data: { reason: 'BAD_REQUEST' } },
  });
});

test('messages of the site about the signature do not reach apps (security rule 8)', () => {
  expect(
    reply('people.getSelf', 'Invalid signature. Base string: GET&oauth_consumer_key%3Dck', { status: 401 }),
  ).toEqual({
    error: { code: 401, message: 'The site refused this request for this member.', data: { reason: 'UNAUTHORIZED' } },
  });
});

test.each([
  ['a redirect', 302, ''],
  ['a page', 200, '<html>Log in</html>'],
  ['JSON without end', 200, '{"entry":'],
  ['JSON of any depth', 200, `{"entry":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
])('%s is a failure of the site, not of the app', (_, status, text) => {
  expect(reply('people.getFriends', text, { status })).toMatchObject({
    error: { code: 502, data: { reason: 'UPSTREAM_FAILED' } },
  });
});
