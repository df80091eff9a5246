import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTape, redactTape } from '../../src/tape/index.ts';
import { createCallMatcher } from '../../src/tape-host/match-call.ts';

const call = (params: unknown, operation = 'activities.create') => ({ operation, params });
const save = (data: object) => call({ userId: '@viewer', data }, 'appdata.update');
const line = [{ ok: { displayName: 'Baaa' } }, { source: 'line', name: '', topic: 'people' }] as const;
const matcherOf = (isRedacted: boolean) => createCallMatcher({ isRedacted, values: [line] });

type Calls = readonly [recorded: ReturnType<typeof call>, made: ReturnType<typeof call>];
const isSame = (...[recorded, made]: Calls): boolean => matcherOf(false).isSame(recorded, made);
const areSame = (...pairs: readonly Calls[]): boolean => {
  const matcher = matcherOf(true);
  return pairs.every(([recorded, made]) => matcher.isSame(recorded, made));
};

test('calls of other operations, members or numbers differ', () => {
  expect(isSame(call({}), call({}, 'activities.get'))).toBe(false);
  expect(isSame(call({ userId: 'm-1' }), call({ userId: 'm-2' }))).toBe(false);
  expect(isSame(call({ count: 5 }), call({ count: 7 }))).toBe(false);
  expect(isSame(call({ fields: ['id'] }), call({ fields: ['id', 'name'] }))).toBe(false);
  expect(isSame(call({ a: 1 }), call({ a: 1, b: 1 }))).toBe(false);
});

test('generated ids and times are wildcards', () => {
  expect(isSame(call({ id: '1795394551323176422374' }), call({ id: '1795394581469075473752' }))).toBe(true);
  expect(isSame(call({ since: '2026-11-23T00:42:31Z' }), call({ since: '2027-01-01T10:00:00+00:00' }))).toBe(true);
  expect(isSame(call({ since: 1_795_394_551_323 }), call({ since: 1_795_394_581_469 }))).toBe(true);
});

test('texts equal their stand-ins in a redacted tape, and words of the API do not', () => {
  const typed = call({ userId: '@viewer', activity: { title: 'Hello Ann 7' } });
  const recorded = call({ userId: '@viewer', activity: { title: 'Aaaaa Aaa 1' } });
  expect(areSame([recorded, typed])).toBe(true);
  expect(isSame(recorded, typed)).toBe(false);
  expect(areSame([recorded, call({ userId: '@viewer', activity: { title: 'Good day' } })])).toBe(false);
  expect(areSame([recorded, call({ userId: '@owner', activity: { title: 'Hello Ann 7' } })])).toBe(false);
  expect(areSame([call({ sortBy: 'name' }), call({ sortBy: 'date' })])).toBe(false);
});

test("names and values of an app's data match by their place, random ids and numbers by their kind", () => {
  const recorded = save({ 'aaaa.a0a0a0a0': '{"baaa":"Aaaaa","caaa":[1,2,"2026-01-01T12:00:00Z"]}' });
  const made = save({ 'note.mjvabcde': '{"text":"Hello","size":[12,9,"2026-01-01T12:00:07Z"]}' });
  expect(areSame([recorded, made])).toBe(true);
  expect(areSame([recorded, save({ 'note.mjvabcde': '{"text":"Hello","size":[12,9]}' })])).toBe(false);
  expect(areSame([recorded, save({ 'note.mjvabcde': '', x: '' })])).toBe(false);
});

test('calls match the redacted tape of themselves, whatever is in their data (kit)', () => {
  const text = fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.emailAddress(), fc.webUrl(), fc.json());
  const data = fc.dictionary(text, fc.oneof(text, fc.jsonValue({ maxDepth: 3 })), { maxKeys: 4 });
  fc.assert(
    fc.property(fc.array(data, { maxLength: 5 }), (all) => {
      const head = { host: 'lab', app: 'notes', scenario: {} } as const;
      const at = { number: 1, atMs: Date.UTC(2026, 10, 20), lab: 'lab', app: 'notes', place: 'eva/notes#1' };
      const calls = all.map((one) => JSON.parse(JSON.stringify(save(one))) as ReturnType<typeof save>);
      const tape = createTape(
        head,
        calls.map((made) => ({ ...at, kind: 'call', call: 1, ...made })),
      );
      const matcher = createCallMatcher({ isRedacted: true, values: [] });
      const recorded = redactTape(tape).entries as unknown as readonly ReturnType<typeof save>[];
      for (const [index, made] of calls.entries())
        expect(matcher.isSame(recorded[index] as typeof made, made)).toBe(true);
    }),
    { numRuns: 60 },
  );
});

const confused: readonly [what: string, ...Calls[]][] = [
  ['one value for two of the tape', [save({ aaa: 'baa' }), save({ key: 'key' })]],
  ['two values for one of the tape', [save({ aaa: 'aaa' }), save({ key: 'say' })]],
  [
    'a later value for another one',
    [save({ aaa: 'baa' }), save({ key: 'yes' })],
    [save({ aaa: 'baa' }), save({ key: 'may' })],
  ],
  ['one key for two of the tape', [save({ aaa: '1' }), save({ key: '1' })], [save({ baa: '2' }), save({ key: '2' })]],
  ['two numbers for one', [save({ aaa: [1, 1] }), save({ key: [4, 5] })]],
  ["another member than the tape's", [call({ userId: 'Caaa' }), call({ userId: 'Baaa' })]],
];
test.each(confused)('does not take %s', (_, ...calls) => {
  expect(areSame(...calls)).toBe(false);
});

test('gives the app its own values back, in names, texts and JSON', () => {
  const matcher = matcherOf(true);
  matcher.isSame(save({ aaaa: '{"baaa":"Aaaaa caa"}' }), save({ note: '{"text":"Hello you"}' }));
  const at = { source: 'line', name: '', topic: 'appData' } as const;
  const reply = { ok: { 'a-0': { aaaa: '{"baaa":"Aaaaa caa"}', caaa: 'daa' } } };
  expect(matcher.restore(reply, at)).toEqual({ ok: { 'a-0': { note: '{"text":"Hello you"}', caaa: 'daa' } } });
});

test('a name of Object.prototype is data (security rule 19), and depth has an end (security rule 25)', () => {
  expect(isSame(call({ toString: 1 }), call({ valueOf: 1 }))).toBe(false);
  expect(isSame(save({ aaaa: '1' }), save(JSON.parse('{"__proto__":"1"}')))).toBe(false);
  expect(isSame(call(nested()), call(nested()))).toBe(false);
});

function nested(): unknown {
  let value: unknown = {};
  for (let depth = 0; depth < 10_000; depth += 1) value = { value };
  return value;
}
