import { SocialError } from '@gantry/wire';
import { expect, test } from 'vitest';
import { createHeartbeat } from '../src/heartbeat.ts';
import { connect } from './page.ts';

function beating() {
  const pings: number[] = [];
  let nowMs = 1_000;
  const heartbeat = createHeartbeat(
    (number) => pings.push(number),
    () => nowMs,
  );
  return { heartbeat, pings, pass: (ms: number) => (nowMs += ms) };
}

test('a ping is answered after the time that the app took', async () => {
  const { heartbeat, pings, pass } = beating();
  const answered = heartbeat.ping();
  pass(30);
  heartbeat.pong(pings[0]);
  expect(await answered).toBe(30);
});

test.for<[string, unknown]>([
  ['a number that was not asked', 2],
  ['the number as text', '1'],
  ['nothing', undefined],
  ['an object', { valueOf: () => 1 }],
])('a forged answer is none: %s (security rule 6)', async ([, forged]) => {
  const { heartbeat, pings, pass } = beating();
  const answered = heartbeat.ping();
  heartbeat.pong(forged);
  pass(50);
  heartbeat.pong(pings[0]); // control: this one counts
  expect(await answered).toBe(50);
});

test('an answer that an app sends ahead, or sends again, answers no later question (security rule 6)', async () => {
  const { heartbeat, pings, pass } = beating();
  heartbeat.pong(1);
  const first = heartbeat.ping();
  heartbeat.pong(pings[0]);
  await first;
  const second = heartbeat.ping();
  heartbeat.pong(pings[0]);
  pass(70);
  heartbeat.pong(pings[1]);
  expect([await second, pings]).toEqual([70, [1, 2]]);
});

test('while one question waits, a second is the same one', async () => {
  const { heartbeat, pings } = beating();
  const both = [heartbeat.ping(), heartbeat.ping()];
  heartbeat.pong(pings[0]);
  expect([await Promise.all(both), pings]).toEqual([[0, 0], [1]]);
});

test('the end of the connection is the end of every question', async () => {
  const { heartbeat } = beating();
  const waiting = heartbeat.ping();
  heartbeat.end(new SocialError('APP_RELOADED', 'gone'));
  await expect(waiting).rejects.toMatchObject({ code: 'APP_RELOADED' });
  await expect(heartbeat.ping()).rejects.toMatchObject({ code: 'APP_RELOADED' });
});

test('the SDK replies to pings as soon as its script has run', async () => {
  const { container } = connect();
  expect(await container.ping()).toBeGreaterThanOrEqual(0);
});

test('a ping before the hello waits for it', async () => {
  const ready = Promise.withResolvers<void>();
  const { container } = connect({ onReady: ready.resolve });
  const early = container.ping();
  await ready.promise;
  expect(await early).toBeGreaterThanOrEqual(0);
});
