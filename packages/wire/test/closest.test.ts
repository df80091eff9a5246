import { expect, test } from 'vitest';
import { closest } from '../src/runtime/closest.ts';

const words = ['name', 'page', 'height', 'uses', 'fields', 'people.get'];

test.each([
  ['use', 'uses'],
  ['hieght', 'height'],
  ['Uses', 'uses'],
  ['people.gets', 'people.get'],
  ['permissions', undefined],
  ['x', undefined],
  ['', undefined],
  ['u'.repeat(100_000), undefined],
])('%s was most likely meant as %s', (word, meant) => {
  expect(closest(word, words)).toBe(meant);
});
