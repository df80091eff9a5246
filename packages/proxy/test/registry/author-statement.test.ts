import { expect, test } from 'vitest';
import { checkStatement, maxStatementBytes } from '../../src/registry/author-statement.ts';

test('a statement keeps what it names, and nothing else (security rule 36)', () => {
  const statement = { check: { errors: 0, warnings: 1 }, tests: { passed: 3, failed: 0 }, source: 'c0ffee', note: 'x' };
  expect(checkStatement(statement)).toEqual({
    ...statement,
    check: { ...statement.check, findings: [] },
    tests: { ...statement.tests, skipped: 0 },
  });
  expect(checkStatement(undefined)).toBeUndefined();
});

test.each([
  [{ verified: true }, 'statement: verified must be left out: a statement has only check, tests, source and note.'],
  [{ tests: { passed: -1, failed: 0 } }, 'statement: tests.passed must be a whole number between 0 and 1,000,000.'],
  [{ tests: { passed: 1.5, failed: 0 } }, 'tests.passed must be a whole number'],
  [{ tests: { passed: 1 } }, 'statement: tests.failed must be given.'],
  [
    { check: { errors: 0, warnings: 0, findings: new Array(21).fill('x') } },
    'check.findings must be a list of at most 20',
  ],
  [{ note: 'x'.repeat(1_001) }, 'note must be at most 1000 characters'],
  [{ source: 'x'.repeat(301) }, 'source must be at most 300 characters'],
  ['<b>', 'statement: it must be an object.'],
])('a statement is bounded: %j', (statement, message) => {
  expect(() => checkStatement(statement)).toThrow(message);
});

test('the longest statement fits what is stored of it', () => {
  const findings = new Array(20).fill('x'.repeat(300));
  const longest = { check: { errors: 0, warnings: 20, findings }, source: 'x'.repeat(300), note: 'x'.repeat(1_000) };
  expect(JSON.stringify(checkStatement(longest)).length).toBeLessThan(maxStatementBytes);
  const wide = { check: { errors: 0, warnings: 20, findings: new Array(20).fill('\u0000'.repeat(300)) } };
  expect(() => checkStatement(wide)).toThrow(`at most ${maxStatementBytes} bytes`);
});
