import { type ResourceRequest, requestKey, resolveRequest, restPath } from '@gantry/wire';
import fc from 'fast-check';
import { expect, test } from 'vitest';

const asker = { app: 'notes', viewer: '7', owner: '9' };

function resolve(operation: string, params: ResourceRequest['params'] = {}) {
  return resolveRequest({ operation, params }, asker);
}
function path(operation: string, params: ResourceRequest['params'] = {}) {
  const resolved = resolve(operation, params);
  return `${resolved.method} ${decodeURIComponent(restPath(resolved))}`;
}
function problem(
  operation: string,
  params: ResourceRequest['params'] = {},
  who: Parameters<typeof resolveRequest>[1] = asker,
) {
  try {
    resolveRequest({ operation, params }, who);
  } catch (error) {
    return (error as { code: string }).code;
  }
  return undefined;
}

test.each([
  ['people.get', {}, 'GET /people/7/@self'],
  [
    'people.get',
    { userId: '@owner', groupId: '@friends', count: 5, startIndex: '20' },
    'GET /people/9/@friends?count=5&startIndex=20',
  ],
  ['people.get', { userId: ['3', '@viewer', '3'] }, 'GET /people/3,7/@self'],
  ['people.get', { personId: '12' }, 'GET /people/7/@all/12'],
  ['people.get', { fields: ['gender', 'aboutMe', 'shoeSize'] }, 'GET /people/7/@self?fields=aboutMe,gender'],
  ['people.get', { groupId: '@friends', filterBy: 'hasApp' }, 'GET /people/7/@friends?filterBy=hasApp'],
  ['activities.get', { userId: '9', groupId: '@friends', appId: 'notes' }, 'GET /activities/9/@friends/@app'],
  ['activities.create', { activity: { title: 'Hi', id: '1' } }, 'POST /activities/7/@self'],
  ['appdata.get', { keys: 'b,a,b' }, 'GET /appData/7/@self/@app?fields=a,b'],
  ['appdata.get', { fields: '*' }, 'GET /appData/7/@self/@app'],
  [
    'appdata.get',
    { groupId: '@friends', count: 5, startIndex: '10' },
    'GET /appData/7/@friends/@app?count=5&startIndex=10',
  ],
  [
    'appdata.get',
    { groupId: '@friends', count: 500, keys: 'b,a' },
    'GET /appData/7/@friends/@app?count=100&fields=a,b',
  ],
  ['appdata.get', { groupId: '@friends', count: 0, startIndex: 0 }, 'GET /appData/7/@friends/@app'],
  ['appdata.get', { count: 5, startIndex: 10 }, 'GET /appData/7/@self/@app'],
  ['appdata.delete', { fields: ['x'] }, 'DELETE /appData/7/@self/@app?fields=x'],
  ['appdata.delete', { keys: '*' }, 'DELETE /appData/7/@self/@app'],
  ['albums.get', { userId: '@owner' }, 'GET /albums/9/@self'],
  ['mediaitems.get', { albumId: 'a1' }, 'GET /mediaitems/7/@self/a1'],
] as const)('%s %j asks %s', (operation, params, expected) => {
  expect(path(operation, params)).toBe(expected);
});

test('values of AppData become the text that gadgets read back; data may be JSON text (app-facing rules)', () => {
  const { body } = resolve('appdata.update', { data: { s: 'x', n: 1, b: true, z: null, o: { a: [1] } } });
  expect(body).toEqual({ s: 'x', n: '1', b: 'true', z: '', o: '{"a":[1]}' });
  expect(resolve('appdata.create', { data: '{"k":"v"}' }).body).toEqual({ k: 'v' });
});

test('keys such as __proto__ are data (security rule 19)', () => {
  const { body } = resolve('appdata.update', { data: JSON.parse('{"__proto__":"a","constructor":"b"}') });
  expect(Object.entries(body ?? {})).toEqual([
    ['__proto__', 'a'],
    ['constructor', 'b'],
  ]);
  expect(problem('__proto__')).toBe('NOT_IMPLEMENTED');
  expect(problem('constructor')).toBe('NOT_IMPLEMENTED');
});

test.each([
  ['appdata.delete', {}, 'BAD_REQUEST'],
  ['appdata.delete', { keys: [] }, 'BAD_REQUEST'],
  ['appdata.update', { data: 'no JSON' }, 'BAD_REQUEST'],
  ['appdata.update', { data: { a: 'b' }, userId: ['1', '2'] }, 'BAD_REQUEST'],
  ['people.get', { count: 'many' }, 'BAD_REQUEST'],
  ['people.get', { count: 1.5 }, 'BAD_REQUEST'],
  ['people.get', { userId: '../../admin' }, 'NOT_FOUND'],
  ['people.get', { userId: '..' }, 'NOT_FOUND'],
  ['people.get', { userId: ['../..', '..'] }, 'NOT_FOUND'],
  ['people.get', { groupId: '@enemies' }, 'BAD_REQUEST'],
  ['people.get', { groupId: '..' }, 'NOT_IMPLEMENTED'],
  ['people.get', { groupId: '@all' }, 'NOT_IMPLEMENTED'],
  ['people.update', {}, 'NOT_IMPLEMENTED'],
  ['activities.get', { appId: '../x' }, 'FORBIDDEN'],
  ['mediaItems.get', {}, 'BAD_REQUEST'],
  ['activities.create', {}, 'BAD_REQUEST'],
] as const)('%s %j is refused with %s', (operation, params, code) => {
  expect(problem(operation, params)).toBe(code);
});

test('@viewer without a signed-in member is unauthorized, an owner can still be named', () => {
  expect(problem('people.get', {}, { app: 'notes', owner: '9' })).toBe('UNAUTHORIZED');
  expect(problem('people.get', { userId: '@owner' }, { app: 'notes', owner: '9' })).toBeUndefined();
});

test.each([
  'xoauth_requestor_id',
  'OAuth_Token',
  'opensocial_viewer_id',
  '%6Fauth_token',
  '%C2%A0oauth_token',
  'open\u017focial_x',
  ' xoauth_x',
  '+%2Bxoauth_x',
])('an app never names a member to sign for: %s is refused, not stripped (security rule 11)', (name) => {
  expect(problem('people.get', { [name]: '1' })).toBe('FORBIDDEN');
});

test('data is not a parameter: AppData keys and activity text are never searched (security rule 11)', () => {
  expect(problem('appdata.update', { data: { oauth_token: 'x' } })).toBeUndefined();
  expect(problem('activities.create', { activity: { title: 'oauth_token' } })).toBeUndefined();
});

test('params are never changed', () => {
  const params = Object.freeze({ userId: Object.freeze(['@viewer']), fields: Object.freeze(['gender', 'age']) });
  expect(path('people.get', params)).toBe('GET /people/7/@self?fields=age,gender');
});

test('two requests have one key exactly when they mean the same', () => {
  const keyOf = (params: ResourceRequest['params']) => requestKey(resolve('people.get', params));
  expect(keyOf({ userId: '@viewer', fields: 'age,gender' })).toBe(keyOf({ fields: ['gender', 'age', 'age'] }));
  expect(keyOf({ userId: '7' })).not.toBe(keyOf({ userId: '9' }));
  expect(keyOf({ groupId: '@friends', startIndex: 20 })).not.toBe(keyOf({ groupId: '@friends' }));
});

test('no parameter escapes the path below the REST root (security rule 12)', () => {
  const text = fc.oneof(
    fc.string(),
    fc.constantFrom('..', '.', '%2e%2e', '/', '\\', '?', '#', 'a/../b', '@self/..', '\u0000'),
  );
  fc.assert(
    fc.property(
      fc.constantFrom('people.get', 'activities.get', 'appdata.get', 'albums.get', 'mediaItems.get', 'appdata.delete'),
      fc.record(
        { userId: text, groupId: text, personId: text, appId: text, albumId: text, keys: text },
        { requiredKeys: [] },
      ),
      (operation, params) => {
        let rest: string;
        try {
          rest = restPath(resolve(operation, params));
        } catch (error) {
          expect((error as Error).name).toBe('SocialError');
          return;
        }
        const url = new URL(`https://h/social/rest${rest}`);
        expect(url.pathname + url.search).toBe(`/social/rest${rest}`);
        expect(url.hash).toBe('');
      },
    ),
    { numRuns: 2_000 },
  );
});
