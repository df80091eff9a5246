import type { GadgetElement } from '@gantry/lab/page';
import { expect, test } from 'vitest';
import { createReloads } from '../page/hot/reloads.ts';

/** Time that moves by hand. */
function createTime() {
  let nowMs = 0;
  const timers: { readonly atMs: number; readonly run: () => void }[] = [];
  return {
    now: () => nowMs,
    after: (ms: number, run: () => void) => void timers.push({ atMs: nowMs + ms, run }),
    to(ms: number) {
      nowMs = ms;
      for (const timer of timers.filter(({ atMs }) => atMs <= ms)) {
        timers.splice(timers.indexOf(timer), 1);
        timer.run();
      }
    },
  };
}

test('makes one reload of several reasons, and one more of those that come while it loads', () => {
  const time = createTime();
  const reloadedAt: number[] = [];
  const gadget = { isConnected: true, reload: () => void reloadedAt.push(time.now()) } as unknown as GadgetElement;
  const reloads = createReloads(time);

  reloads.ask(gadget);
  reloads.ask(gadget);
  time.to(20);
  reloads.ask(gadget);
  time.to(60);
  reloads.ask(gadget);
  time.to(119);
  expect(reloadedAt).toEqual([20]);
  time.to(120);
  time.to(500);
  expect(reloadedAt).toEqual([20, 120]);
});

test('leaves a gadget alone that is no longer on the page', () => {
  const time = createTime();
  const reloads = createReloads(time);
  const gone = {
    isConnected: false,
    reload() {
      throw new Error('It is gone.');
    },
  } as unknown as GadgetElement;

  reloads.ask(gone);
  expect(() => time.to(100)).not.toThrow();
});
