import { expect, test } from 'vitest';
import type { Entry } from '../../src/record/entry.ts';
import { createTape, redactTape, writeSpec } from '../../src/tape/index.ts';

type Input = Omit<Extract<Entry, { kind: 'input' }>, 'kind' | 'number' | 'atMs' | 'lab' | 'app' | 'place'>;

function tapeOf(...inputs: readonly Input[]) {
  const entries = inputs.map((input, index) => {
    const at = { number: index + 1, atMs: index, lab: 'lab', app: 'notes', place: 'eva/notes#1' };
    return { ...at, kind: 'input' as const, ...input };
  });
  return createTape({ host: 'lab', app: 'notes', scenario: {} }, entries);
}
const stepsIn = (spec: string) =>
  [...spec.matchAll(/^ +(?:await gadget\.frame|test\.fixme\(true).*$/gm)].map(([line]) => line.trim());
const button = { what: 'click', element: 'button', role: 'button' } as const;
const field = { what: 'fill', element: 'input', role: 'textbox', label: 'Note', index: 0 } as const;

test('clicks, texts, keys and choices become steps, by role and name', () => {
  const tape = tapeOf(
    { ...button, label: 'Post', index: 2 },
    { ...button, label: "Bo's", index: 3, twin: 1 },
    { ...field, text: 'L' },
    { ...field, text: 'Low water' },
    { ...field, what: 'press', key: 'Enter' },
    { what: 'press', element: 'body', key: 'Control+k' },
    { what: 'select', element: 'select', role: 'combobox', label: 'Tide', index: 0, option: 2 },
  );
  expect(stepsIn(writeSpec(tape)).slice(0, -1)).toEqual([
    "await gadget.frame.getByRole('button', { name: 'Post', exact: true }).click();",
    "await gadget.frame.getByRole('button', { name: 'Bo\\'s', exact: true }).nth(1).click();",
    "await gadget.frame.getByRole('textbox', { name: 'Note', exact: true }).fill('Low water');",
    "await gadget.frame.getByRole('textbox', { name: 'Note', exact: true }).press('Enter');",
    "await gadget.frame.locator('body').press('Control+k');",
    "await gadget.frame.getByRole('combobox', { name: 'Tide', exact: true }).selectOption({ index: 2 });",
  ]);
});

test('a redacted tape counts elements, since names are stand-ins, and keeps no letter that was pressed', () => {
  const tape = redactTape(
    tapeOf(
      { ...button, label: 'Ann Bell', index: 2 },
      { ...field, text: 'Ring Ann' },
      { ...field, what: 'press', key: 'Control+Enter' },
      { ...field, what: 'press', key: 'q' },
    ),
  );
  expect(JSON.stringify(tape)).not.toMatch(/Ann|Bell|Ring|"q"/);
  expect(stepsIn(writeSpec(tape)).slice(0, -1)).toEqual([
    "await gadget.frame.getByRole('button').nth(2).click();",
    expect.stringMatching(/^await gadget\.frame\.getByRole\('textbox'\)\.nth\(0\)\.fill\('[A-Z][a-z]{3} Aaa'\);$/),
    "await gadget.frame.getByRole('textbox').nth(0).press('Control+Enter');",
    "test.fixme(true, 'A press is missing here, on textbox.');",
  ]);
  expect(redactTape(tape)).toEqual(tape);
});

test('an input that a test cannot repeat is a test.fixme at its place', () => {
  const steps = stepsIn(writeSpec(tapeOf({ what: 'click', element: 'div' }, { ...field, element: 'input' })));
  expect(steps.slice(0, 2)).toEqual([
    "test.fixme(true, 'A click is missing here, on <div> without a role.');",
    "test.fixme(true, 'A fill is missing here, on textbox.');",
  ]);
});
