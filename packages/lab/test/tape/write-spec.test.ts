import fc from 'fast-check';
import { parseAst } from 'vite';
import { expect, test } from 'vitest';
import type { Entry } from '../../src/record/entry.ts';
import { createTape, redactTape, type Tape, writeSpec } from '../../src/tape/index.ts';

const at = { lab: 'lab', app: 'notes', place: 'eva/notes#1' };

function tapeOf(text: string, value: unknown = text): Tape {
  const entries: readonly Entry[] = [
    {
      ...at,
      number: 1,
      atMs: 0,
      kind: 'call',
      call: 1,
      operation: 'appdata.update',
      params: { data: { [text]: value } },
    },
    {
      ...at,
      number: 2,
      atMs: 5,
      kind: 'reply',
      call: 1,
      error: { code: 403, message: text, data: { reason: text } },
      tookMs: 1,
      size: 2,
    },
    { ...at, number: 3, atMs: 6, kind: 'fault', fault: 'fail', operation: text },
    { ...at, number: 4, atMs: 7, kind: 'clock', jumpMs: 30_000 },
    { ...at, number: 5, atMs: 30_007, kind: 'call', call: 2, operation: text, params: value },
    {
      ...at,
      place: `${text}/notes#1`,
      number: 6,
      atMs: 30_008,
      kind: 'call',
      call: 1,
      operation: 'people.get',
      params: {},
    },
    { ...at, number: 7, atMs: 30_009, kind: 'incident', name: text, detail: value },
    { ...at, number: 8, atMs: 30_009, kind: 'refusal', error: { code: 403, message: text, data: { reason: text } } },
  ];
  const scenario = { world: text, persona: text, view: text, params: { [text]: text } };
  return createTape({ host: 'lab', app: text, scenario, test: { title: text } }, entries);
}

/** Kinds of nodes of a program, in their order: what runs, without the data. */
function shapeOf(code: string): readonly string[] {
  const kinds: string[] = [];
  walk(parseAst(code));
  return kinds;

  function walk(node: unknown): void {
    if (Array.isArray(node)) for (const one of node) walk(one);
    else if (typeof node === 'object' && node !== null) {
      const { type } = node as { readonly type?: unknown };
      if (typeof type === 'string' && !data.has(type)) kinds.push(type);
      for (const value of Object.values(node)) walk(value);
    }
  }
}
const data = new Set(['Literal', 'Property', 'Identifier', 'ObjectExpression', 'ArrayExpression', 'UnaryExpression']);

const hostileText = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'\'"`\\$', ...'{}()/*\n\r\u2028\u2029;<>!-_', 'x') }),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom(
    '__proto__',
    '*/ process.exit() /*',
    "'); throw 1; ('",
    `$${'{process.exit()}'}`,
    '</script>',
    '\ud800',
  ),
);

test('texts of a tape are data in the test that is written, whatever they hold (security rules 18 and 19)', () => {
  const usual = shapeOf(writeSpec(tapeOf('usual')));
  fc.assert(
    fc.property(hostileText, fc.jsonValue({ maxDepth: 2 }), (text, value) => {
      fc.pre(text !== '' && !text.startsWith('/') && text !== 'eva');
      const code = writeSpec(tapeOf(text, value));
      expect(shapeOf(code)).toEqual(usual);
      expect(code).not.toMatch(/[\u2028\u2029\u202a-\u202e\u2066-\u2069]/);
    }),
    { numRuns: 150 },
  );
});

test('a text that was pasted would show (control)', () => {
  const code = `test('x', () => {});`;
  expect(shapeOf(code.replace('x', "'); throw 1; ('"))).not.toEqual(shapeOf(code));
});

test('an object that names its prototype keeps it as a member (security rule 19)', () => {
  const params = JSON.parse('{"data":{"__proto__":{"a":1}}}') as unknown;
  const entry: Entry = { ...at, number: 1, atMs: 0, kind: 'call', call: 1, operation: 'appdata.update', params };
  expect(writeSpec(createTape({ host: 'lab', app: 'notes', scenario: {} }, [entry]))).toContain(
    "{ ['__proto__']: { a: 1 } }",
  );
});

test('a tape becomes a test with its scenario, its calls, its faults and what went wrong (kit)', () => {
  const entries: readonly Entry[] = [
    { ...at, number: 1, atMs: 0, kind: 'call', call: 1, operation: 'people.get', params: { userId: '@viewer' } },
    { ...at, number: 2, atMs: 5, kind: 'reply', call: 1, ok: { id: 'eva' }, tookMs: 1, size: 2 },
    {
      ...at,
      number: 3,
      atMs: 6,
      kind: 'call',
      call: 2,
      operation: 'activities.create',
      params: { activity: { title: "Eva's" } },
    },
    { ...at, number: 4, atMs: 6, kind: 'fault', fault: 'fail', operation: 'activities.create' },
    { ...at, number: 5, atMs: 7, kind: 'reply', call: 2, error: { code: 507, message: 'full' }, tookMs: 1, size: 2 },
    { ...at, number: 6, atMs: 7, kind: 'clock', jumpMs: 30_000 },
    {
      ...at,
      place: 'finn/notes#1',
      number: 7,
      atMs: 30_007,
      kind: 'call',
      call: 1,
      operation: 'people.get',
      params: {},
    },
  ];
  const tape = createTape(
    { host: 'lab', app: 'notes', scenario: { world: 'friendly', persona: 'eva', view: 'canvas' } },
    entries,
  );
  expect(writeSpec(tape)).toBe(`import { expect, test } from '@gantry/testing';

test.use({ world: 'friendly', scenario: { persona: 'eva' } });

test('notes: as on the tape', async ({ gadget, gantry }) => {
  gantry.calls.once('activities.create', (call) => call.fail(507));
  const second = await gantry.open('finn');
  await gadget.mount('notes', { view: 'canvas' });
  await second.mount('notes', { view: 'canvas' });
  await expect(gadget).toHaveCalled('people.get', { userId: '@viewer' });
  await expect(gadget).toHaveCalled('activities.create', { activity: { title: 'Eva\\'s' } });
  await gantry.clock.jump(30000);
  await expect(second).toHaveCalled('people.get');
  await expect.poll(() => gadget.calls.filter(({ operation }) => operation === 'activities.create').map(({ error }) => error?.code)).toContain(507);
});
`);
});

test('a tape on which nothing went wrong ends as a test that is marked, for its author to say what it asserts (kit)', () => {
  const entry: Entry = {
    ...at,
    number: 1,
    atMs: 0,
    kind: 'call',
    call: 1,
    operation: 'people.get',
    params: { userId: 'eva' },
  };
  const code = writeSpec(redactTape(createTape({ host: 'lab', app: 'notes', scenario: { persona: 'eva' } }, [entry])));
  expect(code).toContain("test.fixme(true, 'Written from a tape: the assertion is missing.');");
  expect(code).toContain("toHaveCalled('people.get', { userId: expect.any(String) });");
  expect(code).not.toContain('persona');
});
