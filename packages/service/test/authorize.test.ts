import { expect, test } from 'vitest';
import { type Act, authorize, type MemberFacts, type Requester, reach } from '../src/authorize.ts';

const ann: Requester = { memberId: '1', appId: 'notes', hasApp: true };
const someone: MemberFacts = { id: '2', isFriendOfViewer: false, hasBlockedViewer: false, hasApp: false };
const friend = { ...someone, isFriendOfViewer: true };
const oneself = { ...someone, id: '1' };

test.each([
  ['oneself', oneself, 2],
  ['a friend', friend, 1],
  ['anyone else', someone, 0],
  ['a friend who blocked the viewer', { ...friend, hasBlockedViewer: true }, -1],
  ['oneself, whatever the facts say', { ...oneself, hasBlockedViewer: true }, 2],
] as const)('the reach into %s is as the rules say (contract §6)', (_, member, expected) => {
  expect(reach(ann, member)).toBe(expected);
});

const granted = new Set(['people', 'people.birthday']);
const verdicts: readonly (readonly [string, Requester, Act, string])[] = [
  ['a call where nothing is limited', ann, { act: 'call', needs: ['albums'] }, 'allowed'],
  ['a call that was granted', { ...ann, granted }, { act: 'call', needs: ['people'] }, 'allowed'],
  ['a field that was granted', { ...ann, granted }, { act: 'call', needs: ['people', 'people.birthday'] }, 'allowed'],
  ['a field that was not', { ...ann, granted }, { act: 'call', needs: ['people', 'people.gender'] }, 'forbidden'],
  ['a call that was not', { ...ann, granted }, { act: 'call', needs: ['albums'] }, 'forbidden'],
  ['anything where nothing was', { ...ann, granted: new Set() }, { act: 'call', needs: ['people'] }, 'forbidden'],
  ['@app with a key of an app', ann, { act: 'name app', appId: '@app' }, 'allowed'],
  ['the own app', ann, { act: 'name app', appId: 'notes' }, 'allowed'],
  ['another app', ann, { act: 'name app', appId: 'photos' }, 'forbidden'],
  ['@app with a key of no app', { ...ann, appId: undefined }, { act: 'name app', appId: '@app' }, 'forbidden'],
  ['posting as oneself', ann, { act: 'post activity', memberId: '1' }, 'allowed'],
  ['posting as another', ann, { act: 'post activity', memberId: '2' }, 'forbidden'],
  ['writing own AppData', ann, { act: 'write AppData', memberId: '1' }, 'allowed'],
  [
    'writing own AppData without the app',
    { ...ann, hasApp: false },
    { act: 'write AppData', memberId: '1' },
    'forbidden',
  ],
  ["writing another's AppData", ann, { act: 'write AppData', memberId: '2' }, 'forbidden'],
  ['seeing nobody', ann, { act: 'see', member: undefined }, 'hidden'],
  ['seeing anyone', ann, { act: 'see', member: someone }, 'allowed'],
  ['seeing what is for friends as a stranger', ann, { act: 'see', member: someone, level: 1 }, 'hidden'],
  ['seeing what is for friends as a friend', ann, { act: 'see', member: friend, level: 1 }, 'allowed'],
  ['seeing what is private', ann, { act: 'see', member: friend, level: 2 }, 'hidden'],
  ['seeing own private things', ann, { act: 'see', member: oneself, level: 2 }, 'allowed'],
  ['reading own AppData', { ...ann, hasApp: false }, { act: 'read AppData', member: oneself }, 'allowed'],
  ['reading of a friend with the app', ann, { act: 'read AppData', member: { ...friend, hasApp: true } }, 'allowed'],
  ['reading of a friend without the app', ann, { act: 'read AppData', member: friend }, 'forbidden'],
  [
    'reading of a stranger with the app',
    ann,
    { act: 'read AppData', member: { ...someone, hasApp: true } },
    'forbidden',
  ],
  [
    'reading of a friend who blocked the viewer',
    ann,
    { act: 'read AppData', member: { ...friend, hasApp: true, hasBlockedViewer: true } },
    'hidden',
  ],
];

test.each(verdicts)('%s (contract §4 to §6)', (_, requester, act, verdict) => {
  expect(authorize(requester, act)).toBe(verdict);
});
