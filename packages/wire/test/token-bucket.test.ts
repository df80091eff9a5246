import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRateLimit, createTokenBucket } from '../src/runtime/token-bucket.ts';

describe('one bucket', () => {
  test('spends what was saved up, and into debt, which time pays back', () => {
    let nowMs = 0;
    const spend = createTokenBucket({ perMinute: 60, burst: 10, now: () => nowMs });
    expect([spend(8), spend(5)]).toEqual([2, -3]);
    nowMs = 4_000;
    expect(spend(0)).toBe(1);
    nowMs = 60_000;
    expect(spend(0)).toBe(10);
  });

  test('a clock that was set back gives nothing and takes nothing', () => {
    let nowMs = 5_000;
    const spend = createTokenBucket({ perMinute: 60, burst: 10, now: () => nowMs });
    expect(spend(4)).toBe(6);
    nowMs = 0;
    expect(spend(0)).toBe(6);
  });
});

describe('buckets of many keys', () => {
  const rate = { perMinute: 20, burst: 2 };

  test('a key that spent its burst waits for the next token, to the millisecond', () => {
    let nowMs = 0;
    const { take, wait } = createRateLimit(() => nowMs);
    expect([take('a', rate), take('a', rate), take('a', rate)]).toEqual([undefined, undefined, 3]);
    nowMs = 2_999;
    expect([take('a', rate), wait('b', rate)]).toEqual([1, undefined]);
    nowMs = 3_000;
    expect([wait('a', rate), take('a', rate), wait('a', rate)]).toEqual([undefined, undefined, 3]);
  });

  test('a rate of 0 is no limit', () => {
    const { take } = createRateLimit(() => 0);
    expect([take('a', { perMinute: 0, burst: 0 }), take('a', { perMinute: 0, burst: 0 })]).toEqual([
      undefined,
      undefined,
    ]);
  });

  test('in any stretch of time no more pass than burst and rate allow', () => {
    const steps = fc.array(fc.integer({ min: 0, max: 5_000 }), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(
        steps,
        fc.integer({ min: 1, max: 600 }),
        fc.integer({ min: 1, max: 50 }),
        (gaps, perMinute, burst) => {
          let nowMs = 0;
          const { take, wait } = createRateLimit(() => nowMs);
          let passed = 0;
          for (const gap of gaps) {
            nowMs += gap;
            const expected = wait('k', { perMinute, burst });
            const seconds = take('k', { perMinute, burst });
            expect(seconds).toBe(expected);
            if (seconds === undefined) passed++;
            else expect(seconds).toBeGreaterThanOrEqual(1);
            expect(passed).toBeLessThanOrEqual(burst + (nowMs * perMinute) / 60_000 + 1e-6);
          }
        },
      ),
    );
  });

  test('strangers who make keys up cost bounded memory, and a key in use is not forgotten (security rule 25)', () => {
    const { take, wait } = createRateLimit(() => 0);
    const all = { perMinute: 1, burst: 1 };
    take('quiet', all);
    for (let key = 0; key < 49_999; key++) take(`stranger ${key}`, all);
    expect(wait('quiet', all)).toBe(60);
    for (let key = 0; key < 100_000; key++) take(`another ${key}`, all);
    expect(wait('quiet', all)).toBeUndefined(); // it was forgotten, so it begins full
  });

  test('a key that is refused stays known, however many keys come after it (security rule 25)', () => {
    const { take } = createRateLimit(() => 0);
    const all = { perMinute: 1, burst: 1 };
    take('flood', all);
    for (let key = 0; key < 200_000; key++) {
      take(`stranger ${key}`, all);
      if (key % 10_000 === 0) expect(take('flood', all)).toBe(60);
    }
  });
});
