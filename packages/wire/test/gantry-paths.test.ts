import { expect, test } from 'vitest';
import { gantryPaths, isGantryPath } from '../src/index.ts';

test('each path of Gantry is its own and everything below it, and no other name that begins alike', () => {
  for (const root of gantryPaths) {
    expect([root, `${root}/`, `${root}/a/b`].map(isGantryPath)).toEqual([true, true, true]);
    expect([`${root}s`, `${root}.html`, `/shop${root}`].map(isGantryPath)).toEqual([false, false, false]);
  }
});
