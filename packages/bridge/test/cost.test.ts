import { expect, test } from 'vitest';
import { growth, mostGrowth } from '../../wire/test/growth.ts';
import { exposeGuarded } from '../src/guard.ts';
import { copyPlainData } from '../src/plain-data.ts';
import { limits } from '../src/protocol.ts';

const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `n${index}`);
const members = (count: number) => Object.fromEntries(names(count).map((name) => [name, 1]));
const call = (value: unknown) => ({ id: 'a', type: 'APPLY', path: ['hear'], argumentList: [{ type: 'RAW', value }] });

/** Delivers one message to a guard that is made for it. */
function delivered(data: unknown): () => void {
  return () => {
    const port = Object.assign(new EventTarget(), { start: () => {}, close: () => {}, postMessage: () => {} });
    exposeGuarded(new Map([['hear', () => null]]), port as unknown as MessagePort, { onAbuse: () => {} });
    port.dispatchEvent(Object.assign(new Event('message'), { data, ports: [] }));
  };
}

// Engines keep objects of up to some thousand members otherwise than larger ones, so n is above
// that, and lists of more than 16,000 values in pages of their own: all sizes are on one side.
test.each<[string, number, (size: number) => () => unknown]>([
  ['a list of values', 1_000, (size) => delivered(call(names(size)))],
  ['an object of many members', 1_500, (size) => delivered(call(members(size)))],
  ['lists in lists', 500, (size) => delivered(call(names(size).map((name) => [[name]])))],
  ['values beyond the bound', 210_000, (size) => delivered(call(Array.from({ length: size }, () => 1)))],
  ['members beside those of a call', 6_000, (size) => delivered({ ...members(size), ...call('x') })],
  [
    'members beside those of an argument',
    6_000,
    (size) => delivered({ ...call(1), argumentList: [{ ...members(size), type: 'RAW', value: 1 }] }),
  ],
  ['a path of many names', 8_000, (size) => delivered({ ...call(1), path: names(size) })],
  ['a list with many names', 6_000, (size) => delivered(call(Object.assign([1], members(size))))],
])('%s: the cost grows no faster than the message (security rule 25)', async (_, n, prepare) => {
  expect(await growth(n, prepare)).toBeLessThan(mostGrowth);
});

test('members beside the arguments cost less than copying them would (security rule 25)', () => {
  let reads = 0;
  const counting = new Proxy(members(100_000), {
    get: (target, name) => {
      reads += 1;
      return Reflect.get(target, name);
    },
  });
  delivered({ ...call('x'), more: counting })();
  expect(reads).toBe(0);
  expect(copyPlainData(counting, limits).size).toBeGreaterThan(800_000); // the positive control
  expect(reads).toBeGreaterThanOrEqual(100_000);
});

test('control: copying all that came before for each value grows with the square (security rule 25)', async () => {
  const copying = (size: number) => {
    const all = names(size);
    return () => all.reduce<readonly string[]>((made, name) => made.concat(name), []);
  };
  expect(await growth(200, copying)).toBeGreaterThan(mostGrowth);
});
