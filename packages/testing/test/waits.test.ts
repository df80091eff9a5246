import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { inOwnTime } from '../src/waits.ts';

/** A page whose process has had the processor for these seconds, at one look after the other. */
function pageWith(seconds: readonly number[]) {
  const looks = [...seconds];
  let isOpen = true;
  const session = {
    async send() {
      const cpuTime = looks.length > 1 ? looks.shift() : looks[0];
      return {
        processInfo: ['browser', 'renderer'].map((type, id) => ({ type, id, cpuTime: id === 1 ? cpuTime : 99 })),
      };
    },
    async detach() {
      isOpen = false;
    },
  };
  const browser = { newBrowserCDPSession: async () => session };
  return { page: { context: () => ({ browser: () => browser }) } as unknown as Page, isOpen: () => isOpen };
}

test('work of a page may take longer than its limit while other programs have the processor', async () => {
  const { page, isOpen } = pageWith([3, 3.05]);
  expect(await inOwnTime(page, pause(900, 'done'), 100, 'It is busy.')).toBe('done');
  expect(isOpen()).toBe(false);
});

test('work is given up when the page has had the processor for the limit', async () => {
  const { page } = pageWith([3, 3.05, 3.1]);
  await expect(inOwnTime(page, new Promise(() => {}), 100, 'It is busy.')).rejects.toThrow('It is busy.');
});

test('the limit is the clock’s where a browser does not measure', async () => {
  const page = { context: () => ({ browser: () => null }) } as unknown as Page;
  await expect(inOwnTime(page, new Promise(() => {}), 20, 'It is busy.')).rejects.toThrow('It is busy.');
});
