import {
  isWorking,
  type OperationId,
  operation,
  operations,
  type PermissionName,
  permissionsFor,
  resolveRequest,
  sentenceFor,
} from '@gantry/wire';
import { en } from '@gantry/wire/texts';
import { expect, test } from 'vitest';

const asker = { app: 'a', viewer: '7', owner: '8' };

test.each([
  ['people.get', {}, ['people']],
  [
    'people.get',
    { groupId: '@friends', fields: ['gender', 'id', 'birthday'] },
    ['people', 'people.birthday', 'people.gender'],
  ],
  ['appdata.get', { fields: ['birthday'] }, ['appdata']],
  ['appdata.delete', { keys: '*' }, ['appdata.write']],
  ['activities.create', { activity: { title: 'Hi' } }, ['activities.post']],
  ['mediaItems.get', { albumId: '1' }, ['albums']],
])('%s with %j needs %j', (name, params, needed) => {
  expect(permissionsFor(resolveRequest({ operation: name, params }, asker))).toEqual(needed);
});

test('every permission of a working operation has words for members', () => {
  const ids = (Object.keys(operations) as OperationId[]).filter(isWorking);
  expect(ids.map((id) => sentenceFor(operation(id).permission, en.sentences))).not.toContain(undefined);
  for (const id of ids) expect(sentenceFor(operation(id).permission, en.sentences)).toMatch(/^[A-Z].{10}/);
});

test.each<[PermissionName, string]>([
  ['people.birthday', 'See your birthday and those of your friends'],
  [
    'host:https://images.example:8443',
    'Load pictures and scripts from images.example:8443, which may learn what the app knows',
  ],
  [
    'server:https://$&.example',
    'It comes from its own server, $&.example: what it learns can go there and anywhere else',
  ],
  ['constructor' as PermissionName, 'constructor'],
])('%s is said as one sentence', (name, sentence) => {
  expect(sentenceFor(name, en.sentences)).toBe(sentence);
});
