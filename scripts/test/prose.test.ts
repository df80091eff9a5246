import { expect, test } from 'vitest';
import { proseProblems } from '../prose.ts';

const code = (text: string) => proseProblems('packages/x/src/y.ts', text);
const wide = 'a '.repeat(60).trim();

test.each([
  ['/** What a member sees. */', 'What'],
  ['/**\n * Whether it is open.\n */', 'Whether'],
  ['// Of those that wait, the first.', 'Of'],
  ['/** Reads a page. Where it begins is asked before. */', 'Where'],
  ['/** @returns Who asks. */', 'Who'],
  ['/**\n * @param options.file Which of them to read.\n */', 'Which'],
])('%s begins with a free relative', (text, word) => {
  expect(code(text)).toMatchObject([{ problem: expect.stringContaining(`“${word}”`) }]);
});

test.each([
  '/** Reads what a member wrote. */',
  '/** Why is the sky blue? */',
  "const text = 'What a member sees.';",
  '/**\n * Reads.\n *\n * @example\n * // What it writes:\n * read();\n */',
  '/**\n * Reads a file\n * Of Human Bondage.\n */',
])('%s is let be', (text) => {
  expect(code(text)).toEqual([]);
});

test('comments and Markdown are at most 100 columns wide', () => {
  expect(code(`/** ${wide} */`)).toMatchObject([{ line: 1, problem: expect.stringContaining('wider') }]);
  expect(code(`const x = 1;\n  // ${wide}`)).toMatchObject([{ line: 2 }]);
  expect(proseProblems('a.md', `# A\n\n${wide}`)).toMatchObject([{ line: 3 }]);
});

test.each([
  `| ${wide} |`,
  `\`\`\`\n${wide}\n\`\`\``,
  `# ${wide}`,
  'é '.repeat(50).trim(),
  `https://${'x'.repeat(120)}`,
])('a table, code, a heading, other letters or one long word are no wide prose: %s', (text) => {
  expect(proseProblems('a.md', text)).toEqual([]);
});
