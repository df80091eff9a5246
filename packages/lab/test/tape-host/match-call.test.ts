import { expect, test } from 'vitest';
import { isSameCall } from '../../src/tape-host/match-call.ts';

const call = (params: unknown, operation = 'activities.create') => ({ operation, params });

test('calls of other operations, members or numbers differ', () => {
  expect(isSameCall(call({}), call({}, 'activities.get'))).toBe(false);
  expect(isSameCall(call({ userId: 'm-1' }), call({ userId: 'm-2' }))).toBe(false);
  expect(isSameCall(call({ count: 5 }), call({ count: 7 }))).toBe(false);
  expect(isSameCall(call({ fields: ['id'] }), call({ fields: ['id', 'name'] }))).toBe(false);
  expect(isSameCall(call({ a: 1 }), call({ a: 1, b: 1 }))).toBe(false);
});

test('generated ids and times are wildcards', () => {
  expect(isSameCall(call({ id: '1795394551323176422374' }), call({ id: '1795394581469075473752' }))).toBe(true);
  expect(isSameCall(call({ since: '2026-11-23T00:42:31Z' }), call({ since: '2027-01-01T10:00:00+00:00' }))).toBe(true);
  expect(isSameCall(call({ since: 1_795_394_551_323 }), call({ since: 1_795_394_581_469 }))).toBe(true);
});

test('in a redacted tape texts equal their stand-ins, and words of the API do not', () => {
  const isRedacted = true;
  const typed = call({ userId: '@viewer', activity: { title: 'Hello Ann 7' } });
  expect(isSameCall(call({ userId: '@viewer', activity: { title: 'Wxyza Bcd 1' } }), typed, { isRedacted })).toBe(true);
  expect(isSameCall(call({ userId: '@viewer', activity: { title: 'Wxyza Bcd 1' } }), typed)).toBe(false);
  expect(isSameCall(call({ userId: '@owner', activity: { title: 'Wxyza Bcd 1' } }), typed, { isRedacted })).toBe(false);
  expect(isSameCall(call({ sortBy: 'name' }), call({ sortBy: 'date' }), { isRedacted })).toBe(false);
});

test('a name of Object.prototype is data (security rule 19), and depth has an end (security rule 25)', () => {
  expect(isSameCall(call({ toString: 1 }), call({ valueOf: 1 }))).toBe(false);
  expect(isSameCall(call(nested()), call(nested()))).toBe(false);
});

function nested(): unknown {
  let value: unknown = {};
  for (let depth = 0; depth < 10_000; depth += 1) value = { value };
  return value;
}
