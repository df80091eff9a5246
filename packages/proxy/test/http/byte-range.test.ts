import fc from 'fast-check';
import { expect, test } from 'vitest';
import { requestedRange } from '../../src/http/byte-range.ts';

const etag = '"a"';
const rangeOf = (range: string, { size = 10, method = 'GET', ifRange = '' } = {}) => {
  const headers = new Headers({ Range: range, ...(ifRange && { 'If-Range': ifRange }) });
  return requestedRange({ method, headers }, { size, etag });
};

test.each([
  ['bytes=0-', { start: 0, end: 10 }],
  ['bytes=2-4', { start: 2, end: 5 }],
  ['BYTES= 9-9 ', { start: 9, end: 10 }],
  ['bytes=5-999999999999999999999999999', { start: 5, end: 10 }],
  ['bytes=-3', { start: 7, end: 10 }],
  ['bytes=-999999999999999999999999999', { start: 0, end: 10 }],
  ['bytes=10-', 'unsatisfiable'],
  ['bytes=999999999999999999999999999-', 'unsatisfiable'],
  [`bytes=${'9'.repeat(5_000)}-`, 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=4-2', undefined],
  ['bytes=0-1,4-5', undefined],
  ['bytes=0-5,3-9', undefined],
  [`bytes=${'0-1,'.repeat(3_000)}0-1`, undefined],
  ['bytes=-', undefined],
  ['bytes=--1', undefined],
  ['bytes=-1-2', undefined],
  ['bytes=0x1-2', undefined],
  ['bytes=1e0-2', undefined],
  ['items=0-1', undefined],
  ['0-1', undefined],
])('Range: %s of ten bytes is %j (RFC 9110 §14)', (header, expected) => {
  expect(rangeOf(header)).toEqual(expected);
});

test('a range is for GET, for content, and for the version that If-Range names strongly', () => {
  const part = { start: 0, end: 2 };
  expect([rangeOf('bytes=0-1'), rangeOf('bytes=0-1', { ifRange: etag })]).toEqual([part, part]);
  expect(rangeOf('bytes=0-1', { method: 'HEAD' })).toBeUndefined();
  expect([rangeOf('bytes=0-1', { size: 0 }), rangeOf('bytes=-1', { size: 0 })]).toEqual([undefined, undefined]);
  for (const ifRange of ['"b"', `W/${etag}`, 'Tue, 24 Nov 2026 01:00:00 GMT', `${etag}, "b"`]) {
    expect(rangeOf('bytes=0-1', { ifRange })).toBeUndefined();
    expect(rangeOf('bytes=99-', { ifRange })).toBeUndefined(); // whole, not 416
  }
});

test('whatever a client sends, a range is a part of the content, and the one that slice gives', () => {
  const part = (range: ReturnType<typeof rangeOf>, size: number) =>
    range === undefined ||
    range === 'unsatisfiable' ||
    (range.start >= 0 && range.start < range.end && range.end <= size);
  fc.assert(
    fc.property(fc.string(), fc.nat(), (text, size) => part(rangeOf(`bytes=${encodeURI(text)}`, { size }), size)),
  );
  const position = fc.oneof(fc.nat(20), fc.maxSafeNat());
  fc.assert(
    fc.property(position, position, fc.integer({ min: 1, max: 15 }), (first, last, size) => {
      const bytes = Array.from({ length: size }, (_, index) => index);
      const slice = (range: ReturnType<typeof rangeOf>) =>
        typeof range === 'object' ? bytes.slice(range.start, range.end) : range;
      const expected = bytes.slice(first, last + 1);
      const whenEmpty = last < first ? undefined : 'unsatisfiable';
      expect(slice(rangeOf(`bytes=${first}-${last}`, { size }))).toEqual(expected.length > 0 ? expected : whenEmpty);
      expect(slice(rangeOf(`bytes=-${last}`, { size }))).toEqual(last === 0 ? 'unsatisfiable' : bytes.slice(-last));
    }),
  );
});
