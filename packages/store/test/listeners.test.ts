import { createListeners, type Listener } from '@gantry/store';
import { expect, test } from 'vitest';

const looking = (viewer: string, ...owners: string[]): Listener => ({
  viewer,
  owners: new Set(owners),
  apps: new Set(['notes']),
});

test('pages are found by viewer and by owner, and forgotten when they go', () => {
  const [own, visit] = [looking('1', '1', '2'), looking('3', '2')];
  const listeners = createListeners([own]);
  listeners.add(visit);
  listeners.add(visit);
  expect([listeners.size, [...listeners]]).toEqual([2, [own, visit]]);
  expect([...listeners.members]).toEqual(['1', '2', '3']);
  expect([...listeners.ofViewer('1')]).toEqual([own]);
  expect([...listeners.ofOwner('2')]).toEqual([own, visit]);
  expect([...listeners.ofViewer('2')]).toEqual([]);
  expect([listeners.delete(own), listeners.delete(own)]).toEqual([true, false]);
  expect([[...listeners.members], [...listeners.ofOwner('2')]]).toEqual([['2', '3'], [visit]]);
  listeners.delete(visit);
  expect([listeners.size, listeners.members.size]).toEqual([0, 0]);
});
