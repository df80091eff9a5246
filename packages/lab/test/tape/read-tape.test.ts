import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { folderForFile } from '../../../wire/test/temporary-folder.ts';
import type { Entry } from '../../src/record/entry.ts';
import { createTape, readTape, redactTape, tapeBounds, tapeVersion, writeTape } from '../../src/tape/index.ts';
import { readTapeFile } from '../../src/tape/tape-file.ts';

const folder = folderForFile();

const at = { lab: 'lab', app: 'notes', place: 'eva/notes#1' };
const entries: readonly Entry[] = [
  {
    ...at,
    number: 1,
    atMs: 1_795_166_400_000,
    kind: 'call',
    call: 1,
    operation: 'people.get',
    params: { userId: '@viewer' },
  },
  {
    ...at,
    number: 2,
    atMs: 1_795_166_400_004,
    kind: 'reply',
    call: 1,
    ok: { id: 'eva', displayName: 'Eva Kiel' },
    tookMs: 4,
    size: 40,
  },
];
const about = { host: 'lab', app: 'notes', scenario: { persona: 'eva' } } as const;
const tape = createTape(about, entries);
const [head = '', call = '', reply = ''] = writeTape(tape).split('\n');

test('a tape that was written reads as it was', () => {
  expect(readTape(writeTape(tape))).toEqual(tape);
  expect(readTape(writeTape(redactTape(tape)))).toEqual(redactTape(tape));
  expect(readTape(`${head}\r\n\n${call}\r\n${reply}\r\n`)).toEqual(tape);
});

const refused: readonly [what: string, text: string, message: RegExp][] = [
  ['nothing', '', /^This is no tape: it is empty\.$/],
  ['another file', '{"name":"x"}\n', /^This is no tape: line 1 has no version\.$/],
  [
    'a newer version',
    head.replace('"tape":1', '"tape":7'),
    /^The tape has version 7, and this Gantry reads 1\. Read it with/,
  ],
  ['a head without its app', head.replace('"app":"notes",', ''), /^Line 1 of the tape has a wrong app\.$/],
  ['a line that is no JSON', `${head}\n{\n${call}\n`, /^Line 2 of the tape is no JSON/],
  ['a list', `${head}\n[]\n`, /^Line 2 of the tape is no entry of a kind that this version of Gantry knows\.$/],
  [
    'an unknown kind',
    `${head}\n${call.replace('"call",', '"constructor",')}\n`,
    /^Line 2 of the tape is no entry of a kind/,
  ],
  ['a kind of a prototype', `${head}\n{"kind":"__proto__"}\n`, /^Line 2 of the tape is no entry of a kind/],
  [
    'a wrong member',
    `${head}\n${call}\n${reply.replace('"tookMs":4', '"tookMs":"4"')}\n`,
    /^Line 3 of the tape has a wrong tookMs\.$/,
  ],
  [
    'a missing member',
    `${head}\n${call.replace('"operation":"people.get",', '')}\n`,
    /^Line 2 of the tape has a wrong operation\.$/,
  ],
  [
    'a deep line',
    `${head}\n${call}\n{"kind":"event","data":${'['.repeat(100_000)}\n\n`,
    /^Line 3 of the tape is no JSON, or deeper than/,
  ],
  [
    'a deep line with ends',
    `${head}\n{"kind":"event","data":${'['.repeat(5_000)}${']'.repeat(5_000)}}\n`,
    /^Line 2 .* deeper than \d+\.$/,
  ],
  ['a long line', `${head}\n"${'x'.repeat(tapeBounds.lineLength)}"\n`, /^Line 2 of the tape is longer than/],
  [
    'too many lines',
    `${head}\n${`${call}\n`.repeat(tapeBounds.entries + 1)}`,
    /^The tape has more than 100000 entries\.$/,
  ],
];

test.each(refused)('refuses %s in one sentence (docs/tape.md)', (_, text, message) => {
  expect(() => readTape(text)).toThrow(message);
  expect(() => readTape(text)).toThrow(expect.objectContaining({ code: 'BAD_REQUEST' }));
});

test('never throws anything else, whatever the file', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.json(), fc.constantFrom(head, call, reply), fc.string()), { maxLength: 6 }),
      (lines) => {
        try {
          readTape(lines.join('\n'));
        } catch (error) {
          expect(error).toMatchObject({ code: 'BAD_REQUEST', message: expect.stringMatching(/^[^\n]{1,200}$/) });
        }
      },
    ),
    { numRuns: 200 },
  );
});

test('members that a line may not have are left out, and names of prototypes are data (security rule 19)', () => {
  const text = `${head}\n${call.replace('"kind"', '"__proto__":{"isAdmin":true},"isAdmin":true,"kind"').replace('"@viewer"', '"@viewer","__proto__":1')}\n`;
  const [entry] = readTape(text).entries;
  expect(entry).not.toHaveProperty('isAdmin');
  expect(Object.getPrototypeOf(entry)).toBe(Object.prototype);
  expect(Object.keys((entry as { readonly params: object }).params)).toEqual(['userId', '__proto__']);
});

test('a file whose last line is cut off is read up to there, as a killed job left it', () => {
  const path = join(folder, 'killed.tape');
  writeFileSync(path, writeTape(tape));
  expect(readTapeFile(path)).toEqual(tape);
  writeFileSync(path, writeTape(tape).slice(0, -20));
  expect(readTapeFile(path).entries).toEqual(tape.entries.slice(0, 1));
});

test('an entry that no reader would take is counted instead', () => {
  const long = {
    ...at,
    number: 1,
    atMs: 0,
    kind: 'event',
    name: 'x',
    data: 'x'.repeat(tapeBounds.lineLength),
  } as const;
  expect(readTape(writeTape(createTape(about, [long]))).entries).toEqual([
    { number: 1, offsetMs: 0, kind: 'left-out', count: 1 },
  ]);
});

test('a file that is none, or too large, is not read', () => {
  expect(() => readTapeFile(join(folder, 'none.tape'))).toThrow(/^There is no file /);
  expect(() => readTapeFile(folder)).toThrow(/ is no file\.$/);
  expect(existsSync('/dev/zero') && (() => readTapeFile('/dev/zero'))).toThrow(/ is no file\.$/);
});

test('docs/tape.md names the version and all kinds, with their members (kit)', async () => {
  const { entryMembers, headMembers, commonMembers } = await import('../../src/tape/tape-schema.ts');
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/tape.md'), 'utf8');
  const rows = new Map(
    [...page.matchAll(/^\| `([\w-]+)` \| (.*?) \|/gm)].map(([, name = '', cells = '']) => [name, cells]),
  );
  for (const [kind, members] of Object.entries(entryMembers)) {
    const named = [...(rows.get(kind) ?? '').matchAll(/`(\w+)\??`/g)].map(([, name]) => name);
    expect(named, kind).toEqual(Object.keys(members));
  }
  for (const name of [...Object.keys(headMembers), ...Object.keys(commonMembers)])
    expect(rows.has(name), name).toBe(true);
  expect(page).toContain(`\`"tape": ${tapeVersion}\``);
});
