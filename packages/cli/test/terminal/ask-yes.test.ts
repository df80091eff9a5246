import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { askYes } from '../../src/terminal/ask-yes.ts';

test.each([
  ['y\n', true],
  ['Yes\r\n', true],
  ['\n', false],
  ['no\n', false],
  ['yesterday\n', false],
  ['', false],
])('a question that is answered with %j is %s', async (typed, isYes) => {
  const input = new PassThrough();
  const shown: string[] = [];
  const answer = askYes('Replace it?', input, (text) => shown.push(text));
  input.end(typed);
  expect(await answer).toBe(isYes);
  expect(shown).toEqual(['Replace it? [y/N] ']);
});
