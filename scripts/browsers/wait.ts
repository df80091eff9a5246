import { setTimeout as pause } from 'node:timers/promises';
import type { Tab } from './browser.ts';

const patienceMs = 90_000;
const everyMs = 100;

/** Waits until an expression, or its promise, is true. One that throws is not yet. */
export async function until(tab: Tab, expression: string, frame?: string): Promise<void> {
  let last: unknown = 'false';
  const isTrue = () =>
    tab.read(`Promise.resolve(${expression}).then(Boolean)`, frame).catch((error: unknown) => {
      last = error;
      return false;
    });
  if (!(await poll(isTrue, patienceMs))) throw new Error(`Not in ${patienceMs / 1_000} s: ${expression} (${last})`);
}

/** Resolves with whether a condition came true in time. */
export async function poll(condition: () => unknown, limitMs: number): Promise<boolean> {
  for (const startedAtMs = performance.now(); performance.now() - startedAtMs < limitMs; await pause(everyMs)) {
    if (await condition()) return true;
  }
  return false;
}
