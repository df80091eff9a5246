import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runSchedule, schedule } from './lease-schedule.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('no lease answers with what the page would not, whatever apps, tabs, others and clocks do (decision 91)', async () => {
  let leased = 0;
  await fc.assert(
    fc.asyncProperty(schedule, async (steps) => {
      leased += await runSchedule(steps);
    }),
    { numRuns: 150 },
  );
  expect(leased).toBeGreaterThan(150); // or the schedules showed nothing
});

test('positive control: an end of a lease that is forgotten is found', async () => {
  const run = fc.check(
    fc.asyncProperty(schedule, async (steps) => void (await runSchedule(steps, ({ gantry }) => gantry === 'ended'))),
    { numRuns: 150, endOnFailure: true },
  );
  expect((await run).failed).toBe(true);
});
