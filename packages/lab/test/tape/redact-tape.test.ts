import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Entry } from '../../src/record/entry.ts';
import { createTape, redactTape, type Tape, writeTape } from '../../src/tape/index.ts';

const startMs = Date.UTC(2026, 10, 20, 9, 30);
const at = { lab: 'lab', app: 'notes', place: 'eva/notes#1' };

/** A tape with one value in every position that an app, a member or a site fills. */
function tapeOf(value: unknown, text = String(value)): Tape {
  const entries: readonly Entry[] = [
    {
      ...at,
      number: 1,
      atMs: startMs,
      kind: 'call',
      call: 1,
      operation: text,
      params: { userId: text, [text]: value },
    },
    { ...at, number: 2, atMs: startMs, kind: 'reply', call: 1, ok: { list: [value] }, tookMs: 3, size: 40 },
    {
      ...at,
      number: 3,
      atMs: startMs,
      kind: 'reply',
      call: 1,
      error: { code: 404, message: text },
      tookMs: 3,
      size: 40,
    },
    { ...at, number: 4, atMs: startMs, kind: 'event', name: 'write', data: value },
    { ...at, number: 5, atMs: startMs, kind: 'action', name: 'setTitle', params: [text, JSON.stringify({ a: value })] },
    { ...at, number: 6, atMs: startMs, kind: 'console', level: 'log', text, where: { file: text, line: 4, text } },
    { ...at, number: 7, atMs: startMs, kind: 'script-error', message: text, stack: `Error: ${text}\n at ${text}:4:2` },
    {
      ...at,
      number: 8,
      atMs: startMs,
      kind: 'context',
      context: { viewer: text, params: { [text]: text }, theme: { ink: text } },
    },
    {
      ...at,
      number: 9,
      atMs: startMs,
      kind: 'upstream',
      method: 'GET',
      target: `/people/${text}/@self`,
      status: 200,
      tookMs: 2,
    },
    { ...at, number: 10, atMs: startMs, kind: 'fault', fault: 'fail', viewer: text },
    { ...at, number: 11, atMs: startMs, kind: 'incident', name: 'error', detail: value },
  ];
  const test = { title: text, file: text, error: text };
  return createTape(
    { host: 'lab', app: 'notes', scenario: { persona: text, world: `${text}.json`, params: { [text]: text } }, test },
    entries,
  );
}

// Letters that no stand-in has, so that what survives is no chance.
const letter = fc.constantFrom(...'wyxåß§ñ7', ' ', '-', '.', '/', '@', '😀', 'é', '\n', '"', '\\', '{', '[', 'W');
const text = fc.oneof(
  fc.string({ unit: letter, maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.emailAddress(),
  fc.webUrl(),
);

test('no text of more than three characters survives redaction anywhere (kit)', () => {
  fc.assert(
    fc.property(fc.string({ unit: letter, minLength: 4, maxLength: 40 }), (original) => {
      fc.pre(/[wyåßñW😀é§]{2}/u.test(original));
      const written = writeTape(redactTape(tapeOf(original)));
      const pieces = Array.from({ length: original.length - 3 }, (_, index) => original.slice(index, index + 4));
      expect(
        pieces.filter((piece) => /[wyåßñW😀é§7]/u.test(piece) && written.includes(JSON.stringify(piece).slice(1, -1))),
      ).toEqual([]);
    }),
    { numRuns: 150 },
  );
});

test('a tape that is not redacted has them (the control)', () => {
  expect(writeTape(tapeOf('wywy'))).toContain('wywy');
});

test('the path of the test that left a tape stays, its title does not (docs/tape.md)', () => {
  const test = { title: 'Quennell posts', file: 'tests/quay/first.spec.ts', line: 7 };
  const { head } = redactTape(createTape({ host: 'lab', app: 'notes', scenario: {}, test }, []));
  expect(head.test).toMatchObject({ file: test.file, line: 7, title: expect.not.stringContaining('Quennell') });
});

test('redacting again changes nothing, whatever is in a tape (kit)', () => {
  fc.assert(
    fc.property(fc.oneof(text, fc.jsonValue({ maxDepth: 3 })), text, (value, other) => {
      const once = redactTape(tapeOf(value, other));
      expect(redactTape(once)).toEqual(once);
    }),
    { numRuns: 500, examples: [['a@a.aa', '@w.§']] },
  );
});

test('the shape stays: kinds, members, lists, numbers that are counts, lengths of texts (kit)', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
      const tape = tapeOf(value, 'text');
      expect(shapeOf(redactTape(tape).entries)).toEqual(shapeOf(tape.entries));
    }),
    { numRuns: 100 },
  );
});

test('equal values have one stand-in, others another: friends stay friends (kit)', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.stringMatching(/^[a-z0-9]{1,8}$/), { minLength: 2, maxLength: 40 }), (ids) => {
      const people = ids.map((id) => ({ id, friends: ids.filter((other) => other !== id) }));
      const tape = createTape({ host: 'lab', app: 'notes', scenario: {} }, [
        { ...at, number: 1, atMs: startMs, kind: 'event', name: 'context', data: people },
      ]);
      const [entry] = redactTape(tape).entries;
      const redacted = (entry as { readonly data: typeof people }).data;
      expect(new Set(redacted.map(({ id }) => id)).size).toBe(ids.length);
      for (const { id, friends } of redacted)
        expect(friends).toEqual(redacted.map((one) => one.id).filter((one) => one !== id));
    }),
    { numRuns: 50 },
  );
});

function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.values(value).map(shapeOf);
}
