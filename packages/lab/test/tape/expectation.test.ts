import { expect, test } from 'vitest';
import { createTape, readExpectation, readTape, redactTape, writeSpec, writeTape } from '../../src/tape/index.ts';

const inFrame = "locator('#root > div > :first-child').locator('iframe').contentFrame()";
const message = (matcher: string, locator: string, expected: string) =>
  `Error: expect(locator).${matcher}(expected) failed\n\nLocator:  ${locator}\nExpected: ${expected}\nReceived: "x"`;
const written = (text: string, isRedacted = false) => {
  const test = { title: 'greets Ann', file: 'tests/first.spec.ts', line: 12 };
  const expectation = readExpectation(text);
  const tape = createTape(
    { host: 'lab', app: 'notes', scenario: {}, test: { ...test, ...(expectation && { expectation }) } },
    [],
  );
  return writeSpec(readTape(writeTape(isRedacted ? redactTape(tape) : tape)));
};

test.each([
  ['toHaveText', "locator('#who')", '"Ann\'s"', "frame.locator('#who')).toHaveText('Ann\\'s')"],
  ['toHaveCount', "getByRole('listitem')", '3', "frame.getByRole('listitem')).toHaveCount(3)"],
  [
    'not.toBeVisible',
    "getByText('Bo', { exact: true }).first()",
    'not visible',
    "frame.getByText('Bo', { exact: true }).first()).not.toBeVisible()",
  ],
  [
    'toBeEnabled',
    "getByRole('button', { name: 'Post', exact: true }).nth(1)",
    'enabled',
    "frame.getByRole('button', { name: 'Post', exact: true }).nth(1)).toBeEnabled()",
  ],
  [
    'toContainText',
    "getByRole('row').filter({ hasText: 'Bo' })",
    '"9"',
    "frame.getByRole('row').filter({ hasText: 'Bo' })).toContainText('9')",
  ],
])('the expectation that failed stands in the test that is written: %s of %s', (matcher, locator, expected, code) => {
  const spec = written(message(matcher, `${inFrame}.${locator}`, expected));
  expect(spec).toContain(`  await expect(gadget.${code};\n`);
  expect(spec).not.toContain('fixme');
});

test('an expectation on the container around the app is written, too', () => {
  const spec = written(message('toBeVisible', "locator('#root > div > :first-child').getByText('Allow')", 'visible'));
  expect(spec).toContain("await expect(gadget.element.getByText('Allow')).toBeVisible();");
});

test('an expectation with texts of a redacted tape is a test.fixme that names its place, with stand-ins', () => {
  const spec = written(
    message('toHaveText', `${inFrame}.getByRole('heading', { name: 'Ann Bell' })`, '"Ann Bell"'),
    true,
  );
  expect(spec).toMatch(
    /test\.fixme\(true, 'Texts of the next line are stand-ins\. [^:]+:12 has them\.'\);\n.*getByRole\('heading', \{ name: 'A\w\w A\w{3}' \}\)\)\.toHaveText\('A\w\w A\w{3}'\)/,
  );
  expect(spec).not.toMatch(/Ann|Bell|greets/);
});

test.each([
  ['a matcher of another library', message('toBeTruthy', `${inFrame}.getByRole('list')`, 'true')],
  ['a pattern', message('toHaveText', `${inFrame}.getByText(/Ann/i)`, '/x/')],
  ['code in a locator', message('toHaveCount', `${inFrame}.getByRole('list'); process.exit()`, '3')],
  ['a method that no locator has', message('toHaveCount', `${inFrame}.evaluate('process.exit()')`, '3')],
  ['no locator', 'Error: expect(received).toBe(expected)\n\nExpected: 3'],
])('an expectation with %s is a test.fixme that names its place', (_, text) => {
  expect(readExpectation(text)).toBeUndefined();
  expect(written(text, true)).toContain("test.fixme(true, 'The assertion is missing: ");
});

test('a tape cannot name other methods than those of locators (security rule 18)', () => {
  const steps = [{ method: 'constructor', text: 'process.exit()' }];
  const expectation = { matcher: 'toHaveCount', inside: 'frame', steps, count: 1 } as const;
  const tape = createTape({ host: 'lab', app: 'notes', scenario: {}, test: { title: '', line: 1, expectation } }, []);
  expect(writeSpec(tape)).not.toMatch(/constructor|process/);
});
