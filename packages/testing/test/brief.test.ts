import { expect, test } from 'vitest';
import { brief } from '../src/matchers/brief.ts';

test('a getter that throws is named, and nothing of it is thrown', () => {
  const value = {
    get name(): string {
      throw new Error('no');
    },
  };
  expect(brief(value)).toBe('{"name": [a getter that throws]}');
});

test('long texts, long lists, many members and deep data are cut', () => {
  expect(brief('x'.repeat(1_000))).toBe(`"${'x'.repeat(80)}"… (1000 characters)`);
  expect(brief(new Array(1_000).fill(1))).toBe('[1, 1, 1, 1, 1, 1, 1, 1, … 992 more]');
  expect(brief({ a: { b: { c: { d: { e: 1 } } } } })).toBe('{"a": {"b": {"c": {"d": {…}}}}}');
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`k${index}`, 'v'.repeat(100)]));
  expect(brief(many).length).toBeLessThanOrEqual(300);
});

test('a cycle, a matcher and an object without a prototype have a line too', () => {
  const cycle: { self?: unknown } = {};
  cycle.self = cycle;
  expect(brief(cycle)).toBe('{"self": {"self": {"self": {"self": {…}}}}}');
  expect(brief({ id: expect.any(String) })).toContain('Any');
  expect(brief(Object.assign(Object.create(null), { a: 1 }))).toBe('{"a": 1}');
});
