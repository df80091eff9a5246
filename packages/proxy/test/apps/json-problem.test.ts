import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonProblem } from '../../src/apps/json-problem.ts';

test.each([
  ['{\n  "name": "Clock",\n}', { line: 3, column: 1, problem: 'there is a comma after the last item' }],
  ['{\n  "name": Clock\n}', { line: 2, column: 11, problem: '"C" cannot stand here' }],
  ["{ 'name': 1 }", { line: 1, column: 3, problem: 'texts and names stand in double quotes' }],
  ['{\n  // of mine\n}', { line: 2, column: 3, problem: 'JSON has no comments' }],
  ['{ "a": 1\n  "b": 2 }', { line: 2, column: 3, problem: 'a comma or a colon is missing before this' }],
  ['{ "a": "b\n}', { line: 1, column: 10, problem: 'a text ends on the line where it begins, in double quotes' }],
  ['{ "a": tru', { line: 1, column: 11, problem: 'the file ends too early: a quote or a closing bracket is missing' }],
  ['', { line: 1, column: 1, problem: 'the file ends too early: a quote or a closing bracket is missing' }],
  ['{ "a": 1.x }', { line: 1, column: 10, problem: '"x" cannot stand here' }],
  ['{ "a": -2.4e+x1, "b": 0 }', { line: 1, column: 14, problem: '"x" cannot stand here' }],
  ['{ "a": "\\u00x", "b": 0 }', { line: 1, column: 13, problem: '"x" cannot stand here' }],
])('%j is not JSON, and the place is where an author has to look', (text, problem) => {
  expect(jsonProblem(text)).toEqual(problem);
});

test('JSON has no problem, and a character that it cannot have is found wherever it stands', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), (json, at) => {
      expect(jsonProblem(json)).toBeUndefined();
      const offset = at % (json.length + 1);
      const broken = `${json.slice(0, offset)}\u0001${json.slice(offset)}`; // invalid even in a string
      expect(jsonProblem(broken)).toMatchObject({ line: 1, column: offset + 1 });
    }),
  );
});
