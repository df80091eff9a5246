import { systemClock } from '@gantry/bridge';
import type { InstanceAnswer, InstanceRequest } from '@gantry/wire';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { createPausedApps } from '../../src/consent/paused-apps.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const paused: InstanceAnswer = { error: { code: 503, message: 'Paused.', data: { reason: 'APP_PAUSED' } } };
const resumed = { ok: {} } as InstanceAnswer;

/** A page whose site has paused apps. */
function openPage() {
  const ids: string[] = [];
  const site = { running: new Set<string>(), isHidden: false };
  const apps = createPausedApps({
    sessions: {
      async open({ app }: InstanceRequest) {
        ids.push(app);
        return site.running.has(app) ? resumed : paused;
      },
    },
    clock: { ...systemClock, random: () => 0 },
    isHidden: () => site.isHidden,
  });
  return { ...apps, ids, site };
}

test('a pushed change asks for that app alone, and its gadgets hear that it is resumed', async () => {
  const { wait, check, ids, site } = openPage();
  const heard: string[] = [];
  for (const name of ['chess', 'chess', 'notes']) wait(name, () => heard.push(name));
  check('chess');
  await pass(0);
  expect([ids, heard]).toEqual([['chess'], []]); // still paused
  site.running.add('chess').add('notes');
  check('chess');
  await pass(0);
  expect([ids, heard]).toEqual([
    ['chess', 'chess'],
    ['chess', 'chess'],
  ]);
});

test('without a push it asks once a minute while the page is visible, each app once', async () => {
  const { wait, ids, site } = openPage();
  let heard = 0;
  for (const name of ['chess', 'chess']) wait(name, () => heard++);
  await pass(59_999);
  expect(ids).toEqual([]);
  await pass(1);
  expect(ids).toEqual(['chess']);
  site.isHidden = true;
  await pass(180_000);
  expect(ids).toEqual(['chess']);
  site.isHidden = false;
  site.running.add('chess');
  await pass(60_000);
  expect([ids, heard]).toEqual([['chess', 'chess'], 2]);
});

test('nothing is asked and no timer is left when no gadget waits', async () => {
  const { wait, ids } = openPage();
  const stop = wait('chess', () => {});
  expect(vi.getTimerCount()).toBe(1);
  stop();
  expect(vi.getTimerCount()).toBe(0);
  await pass(120_000);
  expect(ids).toEqual([]);
});
