import { SocialError } from '@gantry/wire';
import { expect, test } from 'vitest';
import { createFairQueue, type FairQueue } from '../../src/sign-in/fair-queue.ts';

/** Work of a queue that a test ends by hand, one piece after another. */
function openQueue(options: { readonly atOnce: number; readonly mostWaiting: number }) {
  const inTurn: FairQueue = createFairQueue(options);
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const outcomes: string[] = [];
  return {
    started,
    outcomes,
    enter(network: string): void {
      const work = async () => {
        started.push(network);
        await new Promise<void>((resolve) => ends.push(resolve));
        return 'done';
      };
      void inTurn(network, work).then((outcome) => outcomes.push(`${network} ${outcome}`));
    },
    async endNext(): Promise<void> {
      ends.shift()?.();
      await settled();
    },
  };
}

/** Lets everything run that waits for nothing but other promises. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

test('networks take turns: one that floods is one piece of work ahead of the others (security rule 25)', async () => {
  const queue = openQueue({ atOnce: 1, mostWaiting: 30 });
  for (let time = 0; time < 10; time++) queue.enter('flood');
  queue.enter('member');
  for (let time = 0; time < 3; time++) await queue.endNext();
  expect(queue.started).toEqual(['flood', 'flood', 'member', 'flood']);
});

test('one network has at most half of the places (security rule 25)', async () => {
  const queue = openQueue({ atOnce: 1, mostWaiting: 30 });
  for (let time = 0; time < 40; time++) queue.enter('flood');
  await settled();
  expect(queue.outcomes).toEqual(Array(24).fill('flood busy')); // one runs and 15 wait
  queue.enter('member');
  await queue.endNext();
  await queue.endNext();
  expect(queue.started.at(-1)).toBe('member');
});

test('when all places are taken, the network with the most of them gives one up to one with fewer', async () => {
  const queue = openQueue({ atOnce: 1, mostWaiting: 4 });
  for (const network of ['a', 'a', 'a', 'b', 'b']) queue.enter(network);
  await settled();
  expect(queue.outcomes).toEqual([]);
  queue.enter('member');
  await settled();
  expect(queue.outcomes).toEqual(['a busy']);
  queue.enter('c');
  queue.enter('d'); // by now each has one place
  await settled();
  expect(queue.outcomes).toEqual(['a busy', 'b busy', 'd busy']);
  for (let time = 0; time < 5; time++) await queue.endNext();
  expect(queue.started).toEqual(['a', 'a', 'b', 'member', 'c']);
});

test('as many run at once as may, and work that fails gives its place on', async () => {
  const inTurn = createFairQueue({ atOnce: 2, mostWaiting: 10 });
  let running = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, ++running);
    await settled();
    running--;
    throw new SocialError('INTERNAL', 'failed');
  };
  const outcomes = await Promise.allSettled(Array.from({ length: 7 }, () => inTurn('a', work)));
  expect(outcomes.map(({ status }) => status)).toEqual([...Array(7).fill('rejected')]);
  expect(most).toBe(2);
  expect(await inTurn('a', async () => 'fine')).toBe('fine');
});
