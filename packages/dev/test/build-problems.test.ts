import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderForTest } from '../../wire/test/temporary-folder.ts';
import type { BuildProblem } from '../src/protocol.ts';
import { createBuildProblems } from '../src/sources/build-problems.ts';

test('reports a problem once, with place and source lines, and then its end', async () => {
  const folder = folderForTest();
  await writeFile(join(folder, 'a.ts'), 'one\ntwo\nthree\nfour\nfive\nsix\n');
  const reports: (BuildProblem | undefined)[] = [];
  const problems = createBuildProblems({ folder, tell: (problem) => reports.push(problem), server: () => undefined });
  let isBroken = true;
  const retry = async () => {
    if (isBroken) throw first;
  };
  const id = join(folder, 'a.ts');
  const first = Object.assign(
    new Error(`Build failed with 1 error:\n\n\u001b[31m[PARSE_ERROR] \u001b[0mOops in ${id}\n  1 │ x`),
    {
      id,
      errors: [Object.assign(new Error(), { loc: { file: id, line: 5, column: 2 } })],
    },
  );

  problems.add(first, retry);
  problems.add(first, retry);
  await problems.recheck();
  isBroken = false;
  await problems.recheck();
  await problems.recheck();

  expect(reports).toEqual([
    {
      message: 'Oops in a.ts',
      file: 'a.ts',
      line: 5,
      column: 3,
      frame: '  2 | two\n  3 | three\n  4 | four\n> 5 | five\n  6 | six\n  7 | ',
    },
    undefined,
  ]);
});
