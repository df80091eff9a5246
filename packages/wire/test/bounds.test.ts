import { type ErrorCode, type ResourceRequest, resolveRequest, type SocialError } from '@gantry/wire';
import { expect, test } from 'vitest';

const asker = { app: 'notes', viewer: '7', owner: '9' };
const texts = (count: number): string[] => Array.from({ length: count }, (_, index) => `k${index}`);
const names = (count: number) => Object.fromEntries(texts(count).map((name) => [name, 1]));

/** The word and text of a refusal; `undefined` where the request is resolved. */
function refusal(operation: string, params: ResourceRequest['params']): readonly [ErrorCode, string] | undefined {
  try {
    resolveRequest({ operation, params }, asker);
    return undefined;
  } catch (error) {
    const { code, message } = error as SocialError;
    return [code, message];
  }
}

test('a call has at most 1,000 parameters (contract §8, security rule 25)', () => {
  expect(refusal('people.get', names(1_000))).toBeUndefined();
  expect(refusal('people.get', names(1_001))).toEqual(['BAD_REQUEST', 'There are at most 1000 parameters.']);
});

test('the name of a parameter has at most 64 characters (contract §8, security rule 25)', () => {
  expect(refusal('people.get', { ['n'.repeat(64)]: 1 })).toBeUndefined();
  expect(refusal('people.get', { ['n'.repeat(65)]: 1 })).toEqual([
    'BAD_REQUEST',
    'The name of a parameter has at most 64 characters.',
  ]);
});

test.each(['a%62c', '100%', '100%25', '%zz', 'a+b', '%C3%A9'])(
  'the name %s, percent-encoded at most once, is let in (security rule 25)',
  (name) => {
    expect(refusal('people.get', { [name]: 1 })).toBeUndefined();
  },
);

test.each([
  '%2562',
  'a%2525',
  '%256Fauth_token',
  '%%36%66auth',
  '%25%36%66%zz',
  '%6fauth_token%zz',
  '%ff',
  '%252525252525',
])('the name %s, percent-encoded more than once or wrongly, is refused (security rules 11 and 25)', (name) => {
  expect(refusal('people.get', { [name]: 1 })).toEqual([
    'BAD_REQUEST',
    `The parameter ${JSON.stringify(name)} is percent-encoded twice or wrongly.`,
  ]);
});

test.each([
  ['keys of AppData', 'appdata.get', 'keys'],
  ['keys to delete', 'appdata.delete', 'keys'],
  ['fields of people', 'people.get', 'fields'],
])('a list of %s has at most 1,000, as a list or as text (contract §8)', (_, operation, name) => {
  const message = `${name} must be a list of at most 1000.`;
  expect(refusal(operation, { [name]: texts(1_000) })).toBeUndefined();
  expect(refusal(operation, { [name]: texts(1_000).join() })).toBeUndefined();
  expect(refusal(operation, { [name]: texts(1_001) })).toEqual(['BAD_REQUEST', message]);
  expect(refusal(operation, { [name]: texts(1_001).join() })).toEqual(['BAD_REQUEST', message]);
  expect(refusal(operation, { [name]: [texts(600).join(), texts(401).join()] })).toEqual(['BAD_REQUEST', message]);
  expect(refusal(operation, { [name]: ','.repeat(100_000) })).toEqual(['BAD_REQUEST', message]);
});

test('keys and fields of AppData count together (contract §8)', () => {
  expect(refusal('appdata.get', { keys: texts(600), fields: texts(401) })).toEqual([
    'BAD_REQUEST',
    'keys must be a list of at most 1000.',
  ]);
});

test('a list of members has at most 100 ids (contract §1)', () => {
  expect(refusal('people.get', { userId: texts(100) })).toBeUndefined();
  expect(refusal('people.get', { userId: texts(101) })).toEqual([
    'BAD_REQUEST',
    'userId must be a list of at most 100.',
  ]);
});

test('AppData as text has at most 64 levels, and is refused as BAD_REQUEST beyond them (security rule 25)', () => {
  const data = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
  expect(refusal('appdata.update', { data: data(64) })).toBeUndefined();
  expect(refusal('appdata.update', { data: data(65) })?.[0]).toBe('BAD_REQUEST');
  expect(refusal('appdata.update', { data: data(400_000) })?.[0]).toBe('BAD_REQUEST');
});
