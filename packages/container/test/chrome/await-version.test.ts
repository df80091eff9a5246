import { systemClock } from '@gantry/bridge';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { awaitVersion } from '../../src/chrome/await-version.ts';
import type { Gadget, Place } from '../../src/gadget.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A gadget on a page that fetches the watch, or is offline. */
function openPlace(facts: Partial<Gadget>) {
  const gadget = { clock: systemClock, ...facts } as Gadget;
  const place = { gadget, ask: vi.fn() } as unknown as Place;
  const site = { isOffline: false, fetches: 0 };
  const endWatch = vi.fn();
  const watchVersion = vi.fn(() => endWatch);
  const end = awaitVersion(place, async () => {
    site.fetches += 1;
    if (site.isOffline) throw new TypeError('Offline.');
    return { watchVersion };
  });
  return { gadget, place, site, endWatch, watchVersion, end };
}

test('nothing is fetched for a version that stays', async () => {
  const { gadget, site } = openPlace({});
  gadget.onVersion?.();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([site.fetches, vi.getTimerCount()]).toEqual([0, 0]);
});

test.each<Partial<Gadget>>([{ outdatedAtMs: 1 }, { preview: 'offered' }])(
  'a page that was offline when it heard of %o fetches the watch again',
  async (facts) => {
    const { gadget, site, watchVersion, endWatch, end } = openPlace({});
    site.isOffline = true;
    Object.assign(gadget, facts);
    gadget.onVersion?.();
    await vi.advanceTimersByTimeAsync(0);
    site.isOffline = false;
    await vi.advanceTimersByTimeAsync(29_999);
    expect([site.fetches, watchVersion.mock.calls.length]).toEqual([1, 0]);
    await vi.advanceTimersByTimeAsync(1);
    expect([site.fetches, watchVersion.mock.calls.length]).toEqual([2, 1]);
    end();
    expect([endWatch.mock.calls.length, gadget.onVersion, vi.getTimerCount()]).toEqual([1, undefined, 0]);
  },
);

test('a load that is over while the watch is fetched gets none, and no timer is left', async () => {
  for (const isOffline of [true, false]) {
    const { gadget, site, watchVersion, end } = openPlace({});
    site.isOffline = isOffline;
    gadget.outdatedAtMs = 1;
    gadget.onVersion?.();
    end();
    await vi.advanceTimersByTimeAsync(60_000);
    expect([watchVersion.mock.calls.length, vi.getTimerCount()]).toEqual([0, 0]);
  }
});
