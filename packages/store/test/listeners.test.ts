import { createListeners, type Listener } from '@gantry/store';
import { expect, test } from 'vitest';

const looking = (viewer: string, ...owners: string[]): Listener => ({
  viewer,
  owners: new Set(owners),
  apps: new Set(['notes']),
});

test('pages are found by viewer and by owner, and forgotten when they go', () => {
  const [page, visit] = [looking('1', '1', '2'), looking('3', '2')];
  const listeners = createListeners([page]);
  listeners.add(visit);
  listeners.add(visit);
  expect([listeners.size, [...listeners]]).toEqual([2, [page, visit]]);
  expect([...listeners.members]).toEqual(['1', '2', '3']);
  expect([...listeners.ofViewer('1')]).toEqual([page]);
  expect([...listeners.ofOwner('2')]).toEqual([page, visit]);
  expect([...listeners.ofViewer('2')]).toEqual([]);
  expect([listeners.delete(page), listeners.delete(page)]).toEqual([true, false]);
  expect([[...listeners.members], [...listeners.ofOwner('2')]]).toEqual([['2', '3'], [visit]]);
  listeners.delete(visit);
  expect([listeners.size, listeners.members.size]).toEqual([0, 0]);
});
