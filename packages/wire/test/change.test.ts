import { expect, test } from 'vitest';
import { type Change, changesOf, dependsOn } from '../src/change.ts';
import { resolveRequest } from '../src/resource-request.ts';

const asker = { app: 'notes', viewer: '1', owner: '7' };
const resolved = (operation: string, params = {}) => resolveRequest({ operation, params }, asker);

test('a write of AppData changes what its member has of its app, an activity the stream of its member', () => {
  expect(changesOf(resolved('appdata.update', { data: { a: '1' } }), 'notes')).toEqual([
    { topic: 'appData', member: '1', app: 'notes' },
  ]);
  expect(changesOf(resolved('appdata.delete', { keys: 'a' }), 'notes')).toEqual([
    { topic: 'appData', member: '1', app: 'notes' },
  ]);
  expect(changesOf(resolved('activities.create', { activity: { title: 'Hello' } }), 'notes')).toEqual([
    { topic: 'activities', member: '1', app: 'notes' },
  ]);
});

const friendsOf7 = { userId: '7', groupId: '@friends' };
test.each<[string, string, object, Change, boolean]>([
  ['the member’s own', 'appdata.get', {}, { topic: 'appData', member: '1', app: 'notes' }, true],
  ['one of several members', 'appdata.get', { userId: ['7', '1'] }, { topic: 'appData', member: '1' }, true],
  ['another member’s', 'appdata.get', { userId: '7' }, { topic: 'appData', member: '1' }, false],
  ['a member whose id begins alike', 'appdata.get', { userId: '11' }, { topic: 'appData', member: '1' }, false],
  ['anybody’s friends, who are not known', 'appdata.get', friendsOf7, { topic: 'appData', member: '1' }, true],
  ['another app’s', 'appdata.get', {}, { topic: 'appData', member: '1', app: 'chess' }, false],
  ['another topic', 'activities.get', {}, { topic: 'appData', member: '1' }, false],
  ['a stream, whichever app posts', 'activities.get', {}, { topic: 'activities', member: '1', app: 'chess' }, true],
  [
    'a stream of one app',
    'activities.get',
    { appId: '@app' },
    { topic: 'activities', member: '1', app: 'chess' },
    false,
  ],
  ['that app named', 'activities.get', { appId: 'chess' }, { topic: 'activities', member: '1', app: 'chess' }, true],
  ['a profile', 'people.get', { userId: '7' }, { topic: 'people', member: '7' }, true],
  ['a friend by id', 'people.get', { personId: '9' }, { topic: 'people', member: '9' }, true],
  ['a list of friends', 'people.get', friendsOf7, { topic: 'people', member: '9' }, true],
  ['who has another app', 'people.get', { userId: '7' }, { topic: 'people', member: '7', app: 'chess' }, false],
  [
    'an album whose id is an app’s',
    'mediaItems.get',
    { albumId: 'x' },
    { topic: 'mediaItems', member: '1', app: 'chess' },
    true,
  ],
])('whether a read depends on a change: %s', (_, operation, params, change, depends) => {
  expect(dependsOn(resolved(operation, params), 'notes', change)).toBe(depends);
});
