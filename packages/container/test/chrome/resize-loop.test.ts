import { expect, test } from 'vitest';
import { createResizeLoop } from '../../src/chrome/resize-loop.ts';

/** Returns the height that each request gets; `!` marks the one that found a loop. */
function play(requests: readonly (readonly [height: number, afterMs: number])[]): readonly string[] {
  let nowMs = 0;
  const loop = createResizeLoop(() => nowMs);
  return requests.map(([height, afterMs]) => {
    nowMs += afterMs;
    const answer = loop.next(height);
    return `${answer.height}${answer.isFound ? '!' : ''}`;
  });
}

const steps = (count: number, height: (index: number) => number, everyMs: number) =>
  Array.from({ length: count }, (_, index) => [height(index), everyMs] as const);

test('two heights in turn within a second are held at the larger one (ADR 18)', () => {
  expect(play(steps(6, (index) => (index % 2 ? 320 : 300), 50))).toEqual(['300', '320', '300', '320!', '320', '320']);
});

test('two heights that alternate slowly are no loop: a member opens and closes something', () => {
  expect(play(steps(6, (index) => (index % 2 ? 320 : 300), 400))).toEqual(['300', '320', '300', '320', '300', '320']);
});

test('equal steps upwards, each right after the one before, are held (ADR 18)', () => {
  const answers = play(steps(16, (index) => 301 + index, 16));
  expect(answers.slice(-5)).toEqual(['312', '313!', '313', '313', '313']);
});

test('steps in proportion are a loop too, such as 110 % of the frame', () => {
  expect(play(steps(14, (index) => 300 * 1.1 ** index, 16)).filter((answer) => answer.endsWith('!'))).toHaveLength(1);
});

test('a list that fills unevenly or slowly is none', () => {
  const uneven = steps(30, (index) => 200 + index * 40 + (index % 3) * 7, 30);
  const slow = steps(30, (index) => 200 + index * 40, 300);
  for (const requests of [uneven, slow]) expect(play(requests).some((answer) => answer.endsWith('!'))).toBe(false);
});

test('after a second of silence the app may ask again, and a loop is found again', () => {
  const swing = steps(4, (index) => (index % 2 ? 320 : 300), 50);
  expect(play([...swing, [900, 1_500], [900, 10]])).toEqual(['300', '320', '300', '320!', '900', '900']);
  expect(play([...swing, [300, 1_500], ...swing.slice(1)]).filter((answer) => answer.endsWith('!'))).toHaveLength(2);
});

test('the same height again and again is no change', () => {
  expect(play(steps(40, () => 300, 5)).every((answer) => answer === '300')).toBe(true);
});
