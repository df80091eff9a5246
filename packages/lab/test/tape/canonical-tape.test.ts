import { expect, test } from 'vitest';
import { canonicalTape, canonicalText, diffTapes, redactTape, type Tape } from '../../src/tape/index.ts';
import { type Call, everyday, recordInNode } from './record-in-node.ts';

const ordinary = await recordInNode(everyday);
const textOf = (tape: Tape, options = {}): string => canonicalText(canonicalTape(tape, options));

test('recordings of a lab with a seed and a stopped clock are equal byte for byte in canonical form (kit)', async () => {
  const count = Number(process.env.GANTRY_RECORDINGS ?? 3);
  const texts = new Map<string, number>();
  for (let run = 0; run < count; run++) {
    const text = textOf(await recordInNode(everyday, { jitterMs: run % 2 === 0 ? 0 : 4 }));
    texts.set(text, (texts.get(text) ?? 0) + 1);
  }
  expect([...texts.values()]).toEqual([count]);
  expect([...texts.keys()][0]?.split('\n').length).toBeGreaterThan(25);
});

test('recordings with other ids and times are equal with wildcards, and only with them (kit)', async () => {
  const [one, other] = [ordinary, await recordInNode(everyday, { seed: 'another' })];
  expect(textOf(one)).not.toBe(textOf(other));
  expect(textOf(one, { wildcards: true })).toBe(textOf(other, { wildcards: true }));
  expect(diffTapes(one, other, { wildcards: true }).isEqual).toBe(true);
  expect(diffTapes(one, other).isEqual).toBe(false);
});

test('wildcards ignore the order of replies to concurrent calls (kit)', async () => {
  const tape = ordinary;
  const replies = tape.entries.flatMap((entry, index) => (entry.kind === 'reply' && entry.call <= 2 ? [index] : []));
  const [first = 0, second = 0] = replies;
  const swapped = tape.entries.with(first, tape.entries[second] as never).with(second, tape.entries[first] as never);
  const other = { ...tape, entries: swapped };
  expect(textOf(other)).not.toBe(textOf(tape));
  expect(textOf(other, { wildcards: true })).toBe(textOf(tape, { wildcards: true }));
});

const straight = await recordInNode(async (call) => {
  await call('people.get', { userId: '@viewer' });
  await call('appdata.get', { userId: '@viewer' });
});
const controls: readonly [what: string, converse: (call: Call) => Promise<unknown>][] = [
  ['a dropped call', async (call) => void (await call('people.get', { userId: '@viewer' }))],
  [
    'dependent calls the other way round',
    async (call) => {
      await call('appdata.get', { userId: '@viewer' });
      await call('people.get', { userId: '@viewer' });
    },
  ],
  [
    'another error',
    async (call) => {
      await call('people.get', { userId: '@viewer' });
      await call('appdata.get', { userId: 'nobody-here' });
    },
  ],
];

test.each(controls)('finds %s, with wildcards and without (control)', async (_, converse) => {
  const other = await recordInNode(converse);
  for (const wildcards of [true, false]) {
    expect(diffTapes(straight, straight, { wildcards }).isEqual).toBe(true);
    expect(diffTapes(straight, other, { wildcards }).isEqual).toBe(false);
    expect(textOf(straight, { wildcards })).not.toBe(textOf(other, { wildcards }));
  }
});

test('finds an id that stands for another one, though ids are wildcards (control)', async () => {
  const tape = ordinary;
  const [id = ''] = /(?<="id":")\d{22}/.exec(JSON.stringify(tape)) ?? [];
  let times = 0;
  const renamed = JSON.parse(JSON.stringify(tape).replaceAll(id, '1795166400000999999999')) as Tape;
  const torn = JSON.parse(
    JSON.stringify(tape).replaceAll(id, () => (++times === 1 ? '1795166400000999999999' : id)),
  ) as Tape;
  expect(times).toBeGreaterThan(1);
  expect(diffTapes(tape, renamed, { wildcards: true }).isEqual).toBe(true);
  expect(diffTapes(tape, torn, { wildcards: true }).isEqual).toBe(false);
});

test('a redacted tape has its own canonical form, the same each time', async () => {
  const tape = ordinary;
  expect(textOf(redactTape(tape))).toBe(textOf(redactTape(tape)));
  expect(textOf(redactTape(tape))).not.toMatch(/piano|Kiel|score|Moor/);
});
