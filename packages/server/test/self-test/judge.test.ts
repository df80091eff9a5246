import { expect, test } from 'vitest';
import { judge } from '../../src/self-test/browser/judge.ts';
import { readReport } from '../../src/self-test/browser/report.ts';

test('a guard that lets a request out is broken, whether it arrived or was only not refused (ADR 24)', () => {
  expect(judge({ guarded: 'arrived', control: 'arrived' })).toBe('broken');
  expect(judge({ guarded: 'sent', control: 'sent' })).toBe('broken');
  expect(judge({ guarded: 'sent', control: 'refused' })).toBe('broken');
});

test('it holds only where the same attempt works without the guard (ADR 24)', () => {
  expect(judge({ guarded: 'refused', control: 'arrived' })).toBe('holds');
  expect(judge({ guarded: 'silent', control: 'sent' })).toBe('holds');
  expect(judge({ guarded: 'refused', control: 'refused' })).toBe('untried');
  expect(judge({ guarded: 'silent', control: 'silent' })).toBe('untried');
  expect(judge({ guarded: 'refused', control: undefined })).toBe('untried');
  expect(judge({ guarded: 'refused' })).toBe('holds'); // an attempt that has no control
});

test('a probe that says nothing shows nothing', () => {
  expect(judge({ guarded: undefined, control: 'arrived' })).toBe('untried');
});

test('messages of others are no reports (security rule 1)', () => {
  const report = { key: 'k', claim: 'fetch', outcome: 'refused' };
  expect(readReport({ gantrySelfTest: report })).toEqual(report);
  for (const data of [
    undefined,
    null,
    1,
    'x',
    {},
    { gantrySelfTest: 1 },
    { gantrySelfTest: { ...report, outcome: 'fine' } },
  ]) {
    expect(readReport(data)).toBeUndefined();
  }
});
