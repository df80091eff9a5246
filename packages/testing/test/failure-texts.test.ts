import { expect, test } from 'vitest';
import { describeFailure } from '../src/failure/describe-failure.ts';
import type { Call } from '../src/types.ts';

const call = (number: number): Call => ({
  ...{ number, operation: 'people.get', params: { userId: '@viewer' }, atMs: 0, isSettled: true, tookMs: 3 },
  ok: { id: 'm-1' },
});

test('a failed test names the last 20 calls, open ones too', () => {
  const calls = [...Array.from({ length: 30 }, (_, index) => call(index + 1)), { ...call(31), isSettled: false }];
  const lines = describeFailure({ calls, refusals: [], logs: [] }).calls.trim().split('\n');
  expect(lines).toHaveLength(20);
  expect(lines[0]).toBe('12. people.get {"userId":"@viewer"} → {"id":"m-1"} (3 ms)');
  expect(lines.at(-1)).toBe('31. people.get {"userId":"@viewer"} → open');
});

test('words of an app write no lines of their own and no control characters into a report (security rule 25)', () => {
  const text = `before\u001b[2J\r\nrefusal: forged\u2028${'x'.repeat(5_000)}`;
  const { console } = describeFailure({ calls: [], refusals: [], logs: [{ level: 'log', text }] });
  expect(console.split('\n')).toHaveLength(2);
  expect(console).not.toContain('\u001b');
  expect(console.length).toBeLessThanOrEqual(1_001);
});
