import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createZonedTime, yearsBetween } from '../src/zoned-time.ts';

const noon = Date.parse('2026-07-01T12:00:00Z');

test.each([
  ['UTC', '2026-07-01T12:00:00+00:00', '2026-07-01 12:00:00'],
  ['Europe/London', '2026-07-01T13:00:00+01:00', '2026-07-01 13:00:00'],
  ['America/New_York', '2026-07-01T08:00:00-04:00', '2026-07-01 08:00:00'],
  ['Asia/Kathmandu', '2026-07-01T17:45:00+05:45', '2026-07-01 17:45:00'],
  ['America/St_Johns', '2026-07-01T09:30:00-02:30', '2026-07-01 09:30:00'],
  ['Pacific/Kiritimati', '2026-07-02T02:00:00+14:00', '2026-07-02 02:00:00'],
])('noon UTC in %s is %s (contract §3)', (zone, dateTime, plain) => {
  const time = createZonedTime(zone);
  expect(time.dateTime(noon)).toBe(dateTime);
  expect(time.plain(noon)).toBe(plain);
  expect(time.date(noon)).toBe(plain.slice(0, 10).replaceAll('-', '/'));
});

test('the offset is that of the moment, not of today (contract §3)', () => {
  const london = createZonedTime('Europe/London');
  expect(london.dateTime(Date.parse('2026-03-29T00:59:59Z'))).toBe('2026-03-29T00:59:59+00:00');
  expect(london.dateTime(Date.parse('2026-03-29T01:00:00Z'))).toBe('2026-03-29T02:00:00+01:00');
});

test.each(['UTC', 'Europe/London', 'America/St_Johns', 'Australia/Lord_Howe', 'Asia/Kathmandu'])(
  'in %s a written time parses to its moment',
  (zone) => {
    const time = createZonedTime(zone);
    const seconds = fc.integer({ min: 0, max: 2_000_000_000 });
    fc.assert(
      fc.property(seconds, (second) => {
        expect(Date.parse(time.dateTime(second * 1000))).toBe(second * 1000);
        const plain = time.plain(second * 1000);
        expect(time.plain(time.instant(plain))).toBe(plain);
        expect(time.instant(plain)).toBeLessThanOrEqual(second * 1000);
      }),
    );
  },
);

test('an unknown time zone is refused', () => {
  expect(() => createZonedTime('Mars/Olympus')).toThrow(RangeError);
});

test.each([
  ['1990/05/21', '2026/05/20', 35],
  ['1990/05/21', '2026/05/21', 36],
  ['1980/02/29', '2026/02/28', 45],
  ['1980/02/29', '2026/03/01', 46],
  ['1980/02/29', '2028/02/29', 48],
  ['2026/05/20', '2026/05/20', 0],
])('from %s to %s are %i years (contract §3)', (birthday, today, years) => {
  expect(yearsBetween(birthday, today)).toBe(years);
});
