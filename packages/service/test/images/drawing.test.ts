import { createGate } from '@gantry/wire/runtime';
import { expect, test } from 'vitest';
import { createDrawing, type Draw } from '../../src/images/drawing.ts';

const million = 1_000_000;
const full = () => new Error('full');

/** Starts pictures by name, and says which are in work. */
function studio(draw: Draw = createDrawing({ full })) {
  const ends = new Map<string, () => void>();
  const inWork = new Set<string>();
  return {
    start(name: string, millions: number, member = name) {
      const { promise, resolve } = Promise.withResolvers<void>();
      ends.set(name, resolve);
      return draw({ member, pixels: millions * million }, async () => {
        inWork.add(name);
        await promise;
        inWork.delete(name);
      });
    },
    async end(name: string) {
      ends.get(name)?.();
      await turns();
    },
    async inWork() {
      await turns();
      return [...inWork];
    },
  };
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

test('two small pictures are drawn at once, and two above 12 megapixels are not (security rule 34)', async () => {
  const drawing = studio();
  for (const [name, millions] of [
    ['a', 12],
    ['b', 12],
    ['c', 1],
  ] as const)
    void drawing.start(name, millions);
  expect(await drawing.inWork()).toEqual(['a', 'b']);
  const large = studio();
  for (const [name, millions] of [
    ['a', 12.1],
    ['b', 12.1],
  ] as const)
    void large.start(name, millions);
  expect(await large.inWork()).toEqual(['a']);
  await large.end('a');
  expect(await large.inWork()).toEqual(['b']);
  const gate = createGate({ atOnce: 2 }); // the control counts pictures, not pixels
  const naive = studio((_, work) => gate(work));
  for (const name of ['a', 'b']) void naive.start(name, 50);
  expect(await naive.inWork()).toEqual(['a', 'b']);
});

test('pictures in work have 25 megapixels together; one with more is drawn alone', async () => {
  const drawing = studio();
  void drawing.start('large', 20);
  void drawing.start('medium', 6);
  expect(await drawing.inWork()).toEqual(['large']);
  await drawing.end('large');
  expect(await drawing.inWork()).toEqual(['medium']);
  void drawing.start('huge', 50);
  void drawing.start('small', 1);
  expect(await drawing.inWork()).toEqual(['medium']); // small ones do not pass the huge one for ever
  await drawing.end('medium');
  expect(await drawing.inWork()).toEqual(['huge']);
  await drawing.end('huge');
  expect(await drawing.inWork()).toEqual(['small']);
});

test('members take turns, however many pictures one of them sends (security rule 35)', async () => {
  const drawing = studio();
  for (let index = 0; index < 8; index++) void drawing.start(`many ${index}`, 20, 'many');
  void drawing.start('other', 20);
  const order: string[] = [];
  for (let index = 0; index < 3; index++) {
    const [name = ''] = await drawing.inWork();
    order.push(name);
    await drawing.end(name);
  }
  expect(order).toEqual(['many 0', 'many 1', 'other']);
});

test('32 pictures wait, and the next is refused; a failed one gives its room back', async () => {
  const draw = createDrawing({ full });
  const drawing = studio(draw);
  for (let index = 0; index < 33; index++) void drawing.start(`${index}`, 20);
  await expect(draw({ member: 'x', pixels: 1 }, async () => 'drawn')).rejects.toThrow('full');
  for (let index = 0; index < 33; index++) await drawing.end(`${index}`);
  await expect(draw({ member: 'x', pixels: 50 * million }, () => Promise.reject(new Error('bad')))).rejects.toThrow(
    'bad',
  );
  expect(await draw({ member: 'x', pixels: 50 * million }, async () => 'drawn')).toBe('drawn');
});
