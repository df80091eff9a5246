import { expect, test } from 'vitest';
import type { Entry } from '../../src/record/entry.ts';
import { createTape, redactTape, writeTape } from '../../src/tape/index.ts';

const secrets = {
  name: 'Mirabel Quennell',
  'e-mail address': 'mirabel.q@quennell.example.org',
  'telephone number': '+49 171 5550199',
  'short id': 'q-73',
  'another short id': 'zoe',
  'long id': '1795394551323176422374',
  'address with a token': 'https://cdn.quennell.example.com/p?token=s3cr3tT0ken',
  base64: 'TWlyYWJlbCB3YXMgaGVyZQ+/Zz0=',
  JWT: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3MyJ9.dBjftJeZ4CVPmB92K27uhbUJU1p1r',
  UUID: '3f2b8c1e-9d4a-4e6f-8b7c-5a1d2e3f4b6c',
  'IP address': '203.0.113.77',
  'street address': 'Quince Lane 48, 2870 Hobro',
  birthday: '1987/06/05',
  'number in a text': '83716',
  'nested JSON': 'allergic to walnuts',
  'key of AppData': 'divorce-plans',
  'key in nested JSON': 'walnutFriend',
  'text like a header': 'Authorization: Bearer Zm9vYmFy',
  'error of the site': 'no row for quennell_m in members_2024',
  'title of a media item': 'Holiday at Skagen',
  'name of a file': 'tax-return-quennell.pdf',
  'user pref': 'nightmode-for-migraine',
  state: 'draft: I resign',
} as const;
type Kind = keyof typeof secrets;

const at = { lab: 'lab', app: 'notes', place: `${secrets['short id']}/notes#1`, atMs: Date.UTC(2026, 10, 20) };
const call = { ...at, kind: 'call' } as const;
const reply = { ...at, kind: 'reply', tookMs: 3, size: 40 } as const;
const nested = JSON.stringify({ deep: { [secrets['key in nested JSON']]: [secrets['nested JSON'], 4711] } });
const person = {
  id: secrets['long id'],
  displayName: secrets.name,
  birthday: secrets.birthday,
  thumbnailUrl: secrets['address with a token'],
  addresses: [{ formatted: secrets['street address'] }],
};
const item = { title: secrets['title of a media item'], type: 'IMAGE', url: secrets['address with a token'] };
const say = (...kinds: readonly Kind[]): string => kinds.map((kind) => `it is ${secrets[kind]}!`).join(' ');
const entries: readonly Entry[] = [
  {
    ...at,
    number: 1,
    kind: 'context',
    context: { viewer: secrets['short id'], params: { mode: secrets['user pref'] }, operations: ['people.get'] },
  },
  { ...call, number: 2, call: 1, operation: 'people.get', params: { userId: [secrets['another short id']] } },
  { ...reply, number: 3, call: 1, ok: { list: [person] } },
  {
    ...call,
    number: 4,
    call: 2,
    operation: 'appdata.update',
    params: { userId: '@viewer', data: { [secrets['key of AppData']]: nested } },
  },
  { ...reply, number: 5, call: 2, error: { code: 500, message: secrets['error of the site'] } },
  { ...call, number: 6, call: 3, operation: 'appdata.get', params: { keys: [secrets['key of AppData']] } },
  { ...reply, number: 7, call: 3, ok: { [secrets['another short id']]: { [secrets['key of AppData']]: nested } } },
  { ...call, number: 8, call: 4, operation: 'mediaItems.get', params: { albumId: secrets.UUID } },
  { ...reply, number: 9, call: 4, ok: { list: [item] } },
  {
    ...at,
    number: 10,
    kind: 'console',
    level: 'log',
    text: say('e-mail address', 'telephone number', 'base64', 'JWT'),
  },
  {
    ...at,
    number: 11,
    kind: 'console',
    level: 'log',
    text: say('IP address', 'number in a text', 'text like a header'),
  },
  { ...at, number: 12, kind: 'file', element: 'img', address: secrets['name of a file'] },
  { ...at, number: 13, kind: 'action', name: 'state.set', params: [{ text: secrets.state, pin: 4711 }] },
];
const tape = createTape({ host: 'site', app: 'notes', scenario: { persona: secrets['short id'] } }, entries);
const [whole, redacted] = [writeTape(tape), writeTape(redactTape(tape))];

test.each(Object.entries(secrets))('%s is on a tape, and not on its redacted one (kit)', (_, secret) => {
  expect(whole).toContain(secret);
  expect(redacted).not.toContain(secret);
  for (const part of secret.match(/[\p{L}\d]{3,}/gu) ?? [secret]) {
    if (!/^(?:https?|example|org|com|the|for|was|img|0171)$/.test(part)) expect(redacted).not.toContain(part);
  }
});

test('numbers of an app are replaced, words of the API stay, and so do the sizes of lines', () => {
  expect(redacted).not.toContain('4711');
  for (const kept of ['"type":"IMAGE"', '"userId":"@viewer"', '"operations":["people.get"]', '"name":"state.set"']) {
    expect(redacted).toContain(kept);
  }
  const sizes = (text: string): readonly number[] =>
    text
      .split('\n')
      .slice(1)
      .map(({ length }) => length);
  expect(sizes(redacted)).toEqual(sizes(whole));
});
