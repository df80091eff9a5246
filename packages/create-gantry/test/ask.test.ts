import { spawn } from 'node:child_process';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { askYes } from '../src/index.ts';

const script = `import { askLine } from 'create-gantry';
const name = await askLine('Your name? ');
console.log(name);`;

async function answer(input: string) {
  const child = spawn(process.execPath, ['--conditions=@gantry/source', '--input-type=module', '-e', script]);
  child.stdin.end(input);
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { out, err };
}

test('a line is the answer; the question goes to standard error', async () => {
  expect(await answer('Ada\n')).toEqual({ out: 'Ada\n', err: 'Your name? ' });
});

test('the end of the input writes nothing, and says so', async () => {
  const { out, err } = await answer('');
  expect(out).toBe('');
  expect(err).toContain('Nothing was written.');
});

test.each([
  ['y\n', true],
  ['Yes\r\n', true],
  ['\n', false],
  ['no\n', false],
  ['yesterday\n', false],
  ['', false],
])('a question that is answered with %j is %s', async (typed, isYes) => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const answer = askYes('Replace it?', { input, output });
  input.end(typed);
  expect(await answer).toBe(isYes);
  expect(String(output.read())).toBe('Replace it? [y/N] ');
});
