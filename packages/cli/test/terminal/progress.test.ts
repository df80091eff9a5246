import { countText, grouped } from '@gantry/wire/runtime';
import { expect, test } from 'vitest';
import { createProgress } from '../../src/terminal/progress.ts';

function setting({ isTerminal }: { readonly isTerminal: boolean }) {
  const clock = { nowMs: 0 };
  const lines: string[] = [];
  const tell = (text: string) => void lines.push(text);
  const output = { out: tell, err: tell, ...(isTerminal && { status: tell }) };
  return { clock, lines, progress: createProgress(output, 'record', () => clock.nowMs) };
}

test('prints a line for each tenth, with the rate and the time left', () => {
  const { clock, lines, progress } = setting({ isTerminal: false });
  for (let second = 1; second <= 100; second++) {
    clock.nowMs = second * 1_000;
    progress.step({ done: second * 12_345, part: second / 100 });
  }
  progress.end();
  expect(lines).toHaveLength(10);
  expect(lines[0]).toBe('10 %, 123,450 records, 11,110 a second, 2 min left');
  expect(lines.at(-1)).toBe('100 %, 1,234,500 records, 12,221 a second, 0 s left');
});

test('a terminal shows one line, renewed five times a second and cleared at the end', () => {
  const { clock, lines, progress } = setting({ isTerminal: true });
  for (const nowMs of [10, 100, 200, 250, 399, 400]) {
    clock.nowMs = nowMs;
    progress.step({ done: nowMs });
  }
  progress.end();
  expect(lines).toEqual(['200 records, 950 a second', '400 records, 975 a second', '']);
});

test('records of an earlier run count for the percentage, not for the rate', () => {
  const { clock, lines, progress } = setting({ isTerminal: true });
  progress.step({ done: 5_000_000, part: 0.5 });
  clock.nowMs = 100_000;
  progress.step({ done: 6_000_000, part: 0.6 });
  expect(lines).toEqual(['60 %, 6,000,000 records, 10,000 a second, 7 min left']);
});

test('long times are shown in minutes and hours', () => {
  const { clock, lines, progress } = setting({ isTerminal: true });
  progress.step({ done: 0, part: 0 });
  clock.nowMs = 36_000;
  progress.step({ done: 1_000, part: 0.001 });
  expect(lines).toEqual(['0 %, 1,000 records, 27 a second, 10 h left']);
  expect([0, 999, 1_000, 1_234_567].map(grouped)).toEqual(['0', '999', '1,000', '1,234,567']);
});

test('one of a kind has no s', () => {
  const texts = [0, 1, 2, 1_000].map((count) => countText(count, 'consumer key'));
  expect(texts).toEqual(['0 consumer keys', '1 consumer key', '2 consumer keys', '1,000 consumer keys']);
});
