import { expect, test } from 'vitest';
import { createBreaker } from '../../src/upstream/breaker.ts';

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

test('after ten failures the breaker opens for a second, and refusals have Retry-After (security rule 15)', () => {
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

test('a half-open breaker admits one probe, whose success closes it', () => {
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

test('each failed probe doubles the wait, up to half a minute', () => {
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

test('failures among as many successes do not open the breaker, and older ones do not count', () => {
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

test('a request from before the breaker opened does not close it', () => {
  const { breaker, fail } = open();
  const early = breaker.enter();
  fail(10);
  early(true);
  expect(breaker.state).toBe('open');
});
