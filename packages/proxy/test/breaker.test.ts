import { expect, test } from 'vitest';
import { createBreaker } from '../src/breaker.ts';

function open() {
  const clock = { ms: 1_000_000 };
  const breaker = createBreaker(() => clock.ms);
  const ask = (isAnswered: boolean) => breaker.enter()(isAnswered);
  const fail = (times: number) => {
    for (let time = 0; time < times; time++) ask(false);
  };
  return { clock, breaker, ask, fail };
}

const leftAlone = (retryAfter: number) => expect.objectContaining({ code: 'UNAVAILABLE', retryAfter });

test('a site that fails ten times is left alone for a second, and says how long (security rule 15)', () => {
  const { breaker, clock, fail } = open();
  fail(9);
  expect(breaker.state).toBe('closed');
  fail(1);
  expect(breaker.state).toBe('open');
  expect(() => breaker.enter()).toThrow(leftAlone(1));
  clock.ms += 999;
  expect(() => breaker.enter()).toThrow(leftAlone(1));
  clock.ms += 1;
  expect(breaker.state).toBe('half-open');
});

test('after the rest one request tries; while it does, others are refused; its success closes the breaker', () => {
  const { breaker, clock, fail } = open();
  fail(10);
  clock.ms += 1_000;
  const done = breaker.enter();
  expect(() => breaker.enter()).toThrow(leftAlone(1));
  done(true);
  expect(breaker.state).toBe('closed');
  fail(9);
  expect(breaker.state).toBe('closed');
});

test('while the try fails, rests double up to half a minute', () => {
  const { breaker, clock, fail } = open();
  fail(10);
  const rests = [1_000];
  for (let time = 0; time < 6; time++) {
    clock.ms += rests.at(-1) ?? 0;
    breaker.enter()(false);
    const from = clock.ms;
    while (breaker.state === 'open') clock.ms += 500;
    rests.push(clock.ms - from);
    clock.ms = from;
  }
  expect(rests).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
});

test('failures among as many answers open nothing, and those of earlier ten seconds are forgotten', () => {
  const { breaker, clock, ask, fail } = open();
  for (let time = 0; time < 11; time++) ask(true);
  fail(10);
  expect(breaker.state).toBe('closed');
  fail(1);
  expect(breaker.state).toBe('open'); // the positive control: eleven of twenty-two

  const other = open();
  other.fail(9);
  other.clock.ms += 10_001;
  other.fail(9);
  expect(other.breaker.state).toBe('closed');
  expect(clock.ms).toBe(1_000_000);
});

test('what was asked before the breaker opened does not close it', () => {
  const { breaker, fail } = open();
  const early = breaker.enter();
  fail(10);
  early(true);
  expect(breaker.state).toBe('open');
});
