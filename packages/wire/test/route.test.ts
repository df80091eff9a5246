import { matchRoute, type OperationId, operation, operations } from '@gantry/wire';
import { expect, test } from 'vitest';

function route(method: string, path: string, options = {}) {
  return matchRoute(method, path.split('/').slice(1), options);
}

test.each(Object.keys(operations) as OperationId[])('%s is found by its own path (§4)', (id) => {
  const { method, path } = operation(id);
  const filled = path
    .replace('{guid}', '7')
    .replace('{groupid}', 'rowers')
    .replaceAll(/\{\w+\}/g, 'x1');
  expect(route(method, filled)).toMatchObject({ kind: 'operation', operation: id });
});

test('names the values of the path', () => {
  expect(route('GET', '/people/7/@all/9')).toEqual({
    kind: 'operation',
    operation: 'people.getPerson',
    params: { guid: '7', pid: '9' },
  });
  expect(route('GET', '/mediaitems/@me/@self/a1')).toEqual({
    kind: 'operation',
    operation: 'mediaItems.get',
    params: { guid: '@me', albumId: 'a1' },
  });
});

test('the service segment has no letter case, other segments do (contract §1)', () => {
  expect(route('GET', '/APPDATA/7/@self/@app')).toMatchObject({ operation: 'appData.getSelf' });
  expect(route('GET', '/people/7/@Self')).toEqual({ kind: 'unknown' });
});

test('PUT on AppData is POST, and an activity may be posted under any guid and appid (contract §1)', () => {
  expect(route('PUT', '/appData/@me/@self/@app')).toMatchObject({ operation: 'appData.update' });
  expect(route('POST', '/activities/7/@self/@app')).toMatchObject({
    operation: 'activities.create',
    params: { guid: '7', appid: '@app' },
  });
});

test('albums of friends are read, @all and groups are not implemented (contract §6)', () => {
  expect(route('GET', '/albums/7/@friends')).toMatchObject({ operation: 'albums.get' });
  expect(route('GET', '/albums/7/@all')).toMatchObject({ operation: 'albums.getOne' });
  expect(route('GET', '/mediaitems/7/rowers/a1')).toMatchObject({ operation: 'mediaItems.getOne' });
});

test('a selector without @ is a group, another one with @ is unknown (contract §1)', () => {
  expect(route('GET', '/appData/7/rowers/@app')).toEqual({ kind: 'group' });
  expect(route('POST', '/appData/7/rowers/@app')).toEqual({ kind: 'group' });
  expect(route('GET', '/people/7/@enemies')).toEqual({ kind: 'unknown' });
  expect(route('GET', '/mediaitems/7/@friends/a1')).toEqual({ kind: 'unknown' });
});

test('another method on a known path is refused with the allowed ones (contract §1)', () => {
  expect(route('DELETE', '/people/7/@self')).toEqual({ kind: 'method', allow: ['GET'] });
  expect(route('PATCH', '/appData/7/@self/@app')).toEqual({ kind: 'method', allow: ['GET', 'POST', 'PUT', 'DELETE'] });
});

test.each([
  '/people',
  '/people/7',
  '/people/7/@self/extra',
  '/people//@self',
  '/people/7/@friends/9',
  '/nothing/7/@self',
  '/',
])('empty, missing and extra segments are unknown: %s (contract §1)', (path) =>
  expect(route('GET', path)).toEqual({ kind: 'unknown' }),
);

test('version 0.9.3 says @friend, and only that (contract §7)', () => {
  const old = { friends: '@friend' };
  expect(route('GET', '/people/7/@friend', old)).toMatchObject({ operation: 'people.getFriends' });
  expect(route('GET', '/people/7/@friends', old)).toEqual({ kind: 'unknown' });
  expect(route('GET', '/people/7/@friend')).toEqual({ kind: 'unknown' });
  expect(route('GET', '/albums/7/@friends', old)).toMatchObject({ operation: 'albums.get' }); // not renamed
});

test('no segments at all are unknown', () => {
  expect(matchRoute('GET', [])).toEqual({ kind: 'unknown' });
});

test('names from Object.prototype are no services', () => {
  expect(route('GET', '/__proto__/7/@self')).toEqual({ kind: 'unknown' });
  expect(route('constructor', '/people/7/@self')).toEqual({ kind: 'method', allow: ['GET'] });
});
