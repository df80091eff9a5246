import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { seededNumbers } from '@gantry/wire/runtime';
import { expect, onTestFinished, test } from 'vitest';
import { differences } from '../figures/compare.ts';
import { conclude, judge, widened } from '../figures/figure.ts';
import { centreOf, leastValues, median, ranksOutside, ratioOf } from '../figures/interval.ts';
import { cpuBetween, readCpu } from '../figures/process-cpu.ts';
import { createReport } from '../figures/report.ts';
import type { Results } from '../figures/results.ts';
import { takeTurns } from '../figures/rounds.ts';

test.each([
  [6, 0],
  [7, 2],
  [8, 3],
  [10, 8],
  [15, 25],
  [20, 52],
  [25, 89],
])('of %i values, ranks up to a sum of %i lie outside (Wilcoxon’s table for 5 %%, two sides)', (n, sum) => {
  expect(ranksOutside(n)).toBe(sum);
});

test('fewer than 6 values have no interval', () => {
  expect(() => centreOf([1, 2, 3, 4, 5])).toThrow(RangeError);
  expect(centreOf([1, 2, 3, 4, 5, 6])).toEqual({ estimate: 3.5, low: 1, high: 6 });
});

test('an interval of ratios has the true one in 95 of 100 measurements, also where one round in five is disturbed', () => {
  const random = seededNumbers(93);
  const uniform = () => (random() + 0.5) / 2 ** 32;
  const normal = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
  const disturbance = () => (uniform() < 0.2 ? 3 * normal() : normal());
  const tries = 2_000;
  let naiveInside = 0;
  const inside = Array.from({ length: tries }).filter(() => {
    const against = Array.from({ length: 15 }, () => 100 * Math.exp(0.3 * normal())); // the machine's speed in a round
    const ours = against.map((one) => 1.2 * one * Math.exp(0.05 * disturbance()));
    const { low, high } = ratioOf(ours, against);
    // The naive way: medians of each, and the scatter of one of them.
    const naive = median(ours) / median(against);
    if (Math.abs(naive - 1.2) < (high - low) / 2) naiveInside++;
    return low <= 1.2 && 1.2 <= high;
  });
  expect(inside.length / tries).toBeGreaterThan(0.94);
  expect(inside.length / tries).toBeLessThan(0.97);
  expect(naiveInside / tries).toBeLessThan(0.8); // control: a ratio of medians has the machine's noise in it
});

test.each([
  [{ low: 1.1, high: 1.2 }, 'within the goal'],
  [{ low: 1.1, high: 1.3 }, 'not distinguishable'],
  [{ low: 1.26, high: 1.3 }, 'misses the goal'],
] as const)('%j concludes about at most 1.25: %s', (interval, conclusion) => {
  expect(conclude(interval, { most: 1.25 })).toBe(conclusion);
});

test('a goal of at least so much concludes the other way round', () => {
  expect(conclude({ low: 2.1, high: 3 }, { least: 2 })).toBe('within the goal');
  expect(conclude({ low: 1.1, high: 1.9 }, { least: 2 })).toBe('misses the goal');
});

test('a control that differs from itself widens the interval, in both directions', () => {
  const interval = { low: 1, high: 1.2 };
  expect(widened(interval, { estimate: 0.8, low: 0.7, high: 0.9 })).toMatchObject({ low: 0.8, high: 1.5 });
  expect(widened(interval, { estimate: 1.25, low: 1, high: 1.5 })).toMatchObject({ low: 0.8, high: 1.5 });
});

test('a round is compared with the control before and after it, so that a machine that slows down evenly changes nothing', () => {
  const speeds = [1, 2, 3, 4, 5, 6, 7, 8];
  const { ratio } = judge({
    ...{ name: 'x', measure: 'CPU', unit: 'µs' },
    against: speeds.map((speed) => 100 * speed),
    ours: speeds.map((speed) => 120 * speed * 1.1),
    again: speeds.map((speed) => 100 * speed * 1.1 ** 2),
  });
  expect(ratio.low).toBeCloseTo(1.2);
  expect(ratio.high).toBeCloseTo(1.2);
});

test('contestants take turns, every second round backwards, after two rounds to warm up', async () => {
  const order: string[] = [];
  const contestant = (name: string) => async () => ({ wall: order.push(name) });
  const { a } = await takeTurns({ a: contestant('a'), b: contestant('b') }, 2);
  expect(order.join('')).toBe('ababab' + 'ba');
  expect(a).toEqual([{ wall: 5 }, { wall: 8 }]);
});

test('a comparison is reported by processor time where it is known, and by the clock', () => {
  const lines: string[] = [];
  const report = createReport({ print: (line) => lines.push(line) });
  const costs = (factor: number) => Array.from({ length: leastValues }, () => ({ wall: 2 * factor, cpu: factor }));
  report.compare({
    ...{ name: 'A read', unit: 'µs', goals: { cpu: { most: 3 } } },
    ...{ ours: costs(20), against: costs(10), again: costs(10) },
  });
  report.compare({ name: 'Elsewhere', unit: 'µs', ours: [{ wall: 1 }, ...costs(1)], against: costs(1) });
  report.count({ name: 'Requests', value: 1_234, unit: 'requests', limit: 1_000 });
  expect(lines).toEqual([
    'A read\n' +
      '  CPU  2.00 (2.00–2.00) ×  A/A 1.00 (1.00–1.00)  20.0 against 10.0 µs  goal ≤ 3 ×: within the goal\n' +
      '  wall 2.00 (2.00–2.00) ×  A/A 1.00 (1.00–1.00)  40.0 against 20.0 µs',
    expect.stringMatching(/^Elsewhere\n {2}wall [^\n]*$/),
    'Requests\n  1,234 requests  goal ≤ 1,000: misses the goal',
  ]);
  expect([report.judged.length, report.counts.length]).toEqual([3, 1]);
});

test('two commits are compared by each figure’s own cost, and concluded only where the interval excludes 1', () => {
  const turn = (reads: number, rate: number, bytes: number): Results => {
    const shape = { unit: 'µs', against: 1, ratio: { estimate: 1, low: 1, high: 1 } };
    return {
      ...{ commit: 'c', subject: '', committedAt: '', isChanged: false, machine: '' },
      figures: [
        { ...shape, name: 'Reads', measure: 'CPU', ours: reads },
        { ...shape, name: 'Writes', measure: 'a second', ours: rate, goal: { least: 2 } },
      ],
      counts: [{ name: 'Script', value: bytes, unit: 'bytes' }],
    };
  };
  const noisy = [0.9, 1.1, 1, 1.05, 0.95, 1, 0.97, 1.02];
  const turns = (reads: number, rate: number, bytes: number) =>
    noisy.map((noise, index) => turn(reads * noise, rate * (noisy[7 - index] ?? 1), bytes));
  const base = turns(100, 50, 5_000);
  const lines = differences({ ours: turns(80, 40, 5_100), base, again: base });
  expect(lines).toEqual([
    expect.stringMatching(/^Reads\n {2}CPU +0\.80 .*: better$/),
    expect.stringMatching(/^Writes\n {2}a second +0\.80 .*: worse$/),
    'Script\n  5,000 → 5,100 bytes',
  ]);
  const [same = ''] = differences({ ours: base.toReversed(), base, again: base });
  expect(same).toMatch(/: not distinguishable$/); // control
});

test.skipIf(process.platform !== 'linux')(
  'the processor time of a process counts its children, and no waiting',
  async () => {
    const spin = 'const end = performance.now() + 400; while (performance.now() < end);';
    const start = `require('node:child_process').spawnSync(process.execPath, ['-e', "process.stdin.once('data', () => { ${spin} process.stdout.write('done'); })"], { stdio: 'inherit' })`;
    const child = spawn(process.execPath, ['-e', start], { stdio: ['pipe', 'pipe', 'inherit'] });
    onTestFinished(() => void child.kill());
    const id = child.pid as number;
    const before = readCpu(id);
    child.stdin.write('go');
    await once(child.stdout, 'data');
    const spun = cpuBetween(before, readCpu(id)) ?? 0;
    expect(spun).toBeGreaterThan(100_000); // microseconds: a busy machine gives it a share of the 400 ms
    const idle = cpuBetween(readCpu(id), readCpu(id)) ?? Number.NaN;
    expect(idle).toBeLessThan(spun / 4);
  },
);
