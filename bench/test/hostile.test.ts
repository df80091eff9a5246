import { expect, test } from 'vitest';
import { finding } from '../hostile/attack.ts';
import { runHostile } from '../hostile/run.ts';

const megabyte = 1024 * 1024;

test('hostile requests are refused, and the server keeps its memory and goes on answering (security rules 16, 18 and 20)', async () => {
  const report = await runHostile({ rounds: 4, seed: 20_260_520 });
  expect(report.findings).toEqual([]);
  expect(report.attacks).toBeGreaterThan(750);
  expect(report.good).toBeGreaterThan(10);
  expect(report.bodiesRead).toBeGreaterThan(report.attacks / 10);
  expect(report.heapGrowthBytes).toBeLessThan(8 * megabyte);
  expect(report.descriptorGrowth).toBeLessThanOrEqual(2);
});

const attack = { name: 'x', parts: ['GET / HTTP/1.1\r\n\r\n'] };
const answered = (status: number, more = '') => ({
  statuses: [status],
  text: `HTTP/1.1 ${status} X\r\n${more}\r\n`,
  ms: 10,
});

test.each([
  ['a fault', attack, answered(500)],
  ['a good answer to a bad request', attack, answered(200)],
  ['another refusal than the right one', { ...attack, allowed: [400] }, answered(404)],
  ['an answer to what was smuggled', { ...attack, allowed: [400] }, { ...answered(400), statuses: [400, 502] }],
  ['a stack', { ...attack, allowed: [400] }, answered(400, 'at f (/srv/gantry/service.ts:1:1)')],
  ['a connection that stays open', { ...attack, allowed: [400] }, { ...answered(400), ms: 60_000 }],
  ['silence', { ...attack, allowed: [400] }, { statuses: [], text: '', ms: 2_000 }],
  ['a reset at once', { ...attack, allowed: [400] }, { statuses: [], text: '', ms: 10, isReset: true }],
  ['a 500 that is not the interval', { ...attack, allowed: [200, 500] }, answered(500)],
])('positive control: %s is a finding', (_, one, outcome) => {
  expect(finding(one, outcome)).toMatch(/^x: /);
});

test('control: a right answer is no finding', () => {
  expect(finding({ ...attack, allowed: [400] }, answered(400))).toBeUndefined();
  expect(finding({ ...attack, allowed: [200, 500] }, answered(500, 'Retry-After: 30\r\n'))).toBeUndefined();
});
