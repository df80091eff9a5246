import { expect, test } from 'vitest';
import { createLayerKeeper } from '../../src/layers/layer-keeper.ts';

function open() {
  const page = { nowMs: 1_000, hasRoom: true };
  const keeper = createLayerKeeper({ now: () => page.nowMs, hasRoom: () => page.hasRoom });
  const log: string[] = [];
  function toast(name: string, app = 'a'): void {
    const forget = keeper.add({
      app,
      show: () => log.push(`${name} shown`),
      hide: () => log.push(`${name} hidden`),
      close: () => {
        forget();
        log.push(`${name} closed`);
      },
    });
    keeper.update();
  }
  return { page, keeper, log, toast };
}

test('a toast waits while a modal question is open, however long, and is shown when that has closed (security rule 26)', () => {
  const { page, keeper, log, toast } = open();
  const close = keeper.openModal();
  toast('one');
  page.nowMs += 60_000;
  keeper.update();
  expect(log).toEqual([]);
  close();
  expect(log).toEqual(['one shown']);
});

test('a toast that is shown goes when a modal question opens, and comes back (security rule 26)', () => {
  const { keeper, log, toast } = open();
  toast('one');
  const close = keeper.openModal();
  expect(log).toEqual(['one shown', 'one hidden']);
  const closeOther = keeper.openModal(); // above the first
  close();
  close();
  expect(log).toHaveLength(2);
  closeOther();
  expect(log).toEqual(['one shown', 'one hidden', 'one shown']);
});

test('a toast without a place waits ten seconds after the last question has closed, and is closed then (security rule 26)', () => {
  const { page, keeper, log, toast } = open();
  const close = keeper.openModal();
  toast('one');
  page.nowMs += 30_000;
  page.hasRoom = false;
  close();
  page.nowMs += 9_999;
  keeper.update();
  expect(log).toEqual([]);
  page.nowMs += 1;
  keeper.update();
  expect(log).toEqual(['one closed']);
  expect(keeper.isNeeded).toBe(false);
});

test('a toast that finds a place in time is shown', () => {
  const { page, keeper, log, toast } = open();
  page.hasRoom = false;
  toast('one');
  page.nowMs += 5_000;
  page.hasRoom = true;
  keeper.update();
  expect(log).toEqual(['one shown']);
});

test('beyond three toasts, shown or waiting, the oldest of the same app goes, else the oldest', () => {
  const { keeper, log, toast } = open();
  keeper.openModal();
  toast('one', 'a');
  toast('two', 'b');
  toast('three', 'b');
  toast('four', 'b');
  toast('five', 'c');
  expect(log).toEqual(['two closed', 'one closed']);
});

test('a layer that would cover the window waits until no modal question is open, unless it is cancelled (security rule 26)', () => {
  const { keeper, log } = open();
  keeper.whenFree(() => log.push('at once'));
  const close = keeper.openModal();
  keeper.whenFree(() => log.push('later'));
  keeper.whenFree(() => log.push('given up'))();
  expect(log).toEqual(['at once']);
  close();
  expect(log).toEqual(['at once', 'later']);
});
