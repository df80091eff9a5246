import { AsyncLocalStorage } from 'node:async_hooks';
import { every } from '@gantry/store';
import { expect, test } from 'vitest';

test('a timer that a request starts does not run in its context (security rule 32)', async () => {
  const requests = new AsyncLocalStorage<string>();
  const seenBy = (repeat: typeof every) =>
    new Promise<string | undefined>((resolve) => {
      const stop = repeat(() => {
        stop();
        resolve(requests.getStore());
      }, 1);
    });
  const naive: typeof every = (tick, ms) => {
    const timer = setInterval(tick, ms);
    return () => clearInterval(timer);
  };
  const referenced = setInterval(() => {});
  expect(await requests.run('first', () => seenBy(naive))).toBe('first'); // control
  expect(await requests.run('first', () => seenBy(every))).toBeUndefined();
  clearInterval(referenced);
});
