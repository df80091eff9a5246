import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Entry } from '@gantry/lab';
import { createTape, readTape, writeTape } from '@gantry/lab/tape';
import { expect, test } from 'vitest';
import { folderForFile } from '../../../wire/test/temporary-folder.ts';
import { main } from '../../src/index.ts';

const folder = folderForFile();

const at = { lab: 'lab', app: 'notes', place: 'eva/notes#1' };
const entriesOf = (count: number): readonly Entry[] => [
  { ...at, number: 1, atMs: 1_000, kind: 'call', call: 1, operation: 'people.get', params: { userId: '@viewer' } },
  { ...at, number: 2, atMs: 1_000, kind: 'call', call: 2, operation: 'activities.get', params: { count } },
  { ...at, number: 3, atMs: 1_002, kind: 'reply', call: 1, ok: { displayName: 'Eva Kiel' }, tookMs: 2, size: 40 },
  { ...at, number: 4, atMs: 1_002, kind: 'event', name: 'context', data: { text: '\u001b[31m\u202eEva' } },
];

function tapeFile(name: string, entries: readonly Entry[]): string {
  const path = join(folder, name);
  writeFileSync(path, writeTape(createTape({ host: 'lab', app: 'notes', scenario: { persona: 'eva' } }, entries)));
  return path;
}

async function run(...args: readonly string[]) {
  const lines: string[] = [];
  const add = (line: string) => void lines.push(line);
  const code = await main(['tape', ...args], {}, { out: add, err: add });
  return { code, text: lines.join('\n') };
}

const [a, b] = [tapeFile('a.tape', entriesOf(10)), tapeFile('b.tape', entriesOf(20))];

test('gantry tape diff ends with 0 for equal tapes, and shows the first difference and ends with 1 for others (kit)', async () => {
  expect(await run('diff', a, a)).toEqual({
    code: 0,
    text: expect.stringMatching(/are equal: 4 lines of their canonical form\.$/),
  });
  const { code, text } = await run('diff', a, b);
  expect(code).toBe(1);
  expect(text.split('\n').slice(1, 8)).toEqual([
    '',
    'Calls',
    '  {"at":0,"call":1,"kind":"call","operation":"people.get","params":{"userId":"@viewer"}}',
    '- {"at":0,"call":2,"kind":"call","operation":"activities.get","params":{"count":10}}',
    '+ {"at":0,"call":2,"kind":"call","operation":"activities.get","params":{"count":20}}',
    '      params.count: 10 → 20',
    `  entry 2 of ${a}, 2 of ${b}`,
  ]);
  const json = await run('diff', a, b, '--json');
  expect(JSON.parse(json.text.split('\n')[0] ?? '')).toMatchObject({ isEqual: false, differences: 1 });
});

test('gantry tape diff says how many differences there are beyond the first, and shows them with --all', async () => {
  const other = tapeFile('c.tape', entriesOf(30).slice(0, 3));
  expect((await run('diff', a, other)).text).toContain('\n\n1 more difference.\n');
  const { text } = await run('diff', a, other, '--all');
  expect(text).not.toContain('more difference');
  expect(text).toContain('Events, and what became of the app');
  for (const sign of ['\u001b', '\u202e']) expect(text).not.toContain(sign);
});

test('gantry tape ends with 2 and one line for what is no tape', async () => {
  const bad = join(folder, 'bad.tape');
  writeFileSync(bad, '{"tape":9}\n');
  for (const args of [
    ['diff', a, bad],
    ['test', bad],
    ['redact', bad],
    ['diff', a, join(folder, 'none.tape')],
    ['diff', a],
    ['fold', a],
    [],
  ]) {
    const { code, text } = await run(...args);
    expect(code, args.join(' ')).toBe(2);
    expect(text, args.join(' ')).toMatch(/^[^\n]+$/);
  }
  expect((await run('diff', a, bad)).text).toContain(`${bad}: The tape has version 9`);
});

test('gantry tape redact writes a tape beside it for its user only, and overwrites none (security rule 30)', async () => {
  expect(await run('redact', a)).toMatchObject({ code: 0 });
  const path = join(folder, 'a.redacted.tape');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const text = readFileSync(path, 'utf8');
  expect(readTape(text).head.isRedacted).toBe(true);
  expect(text).not.toMatch(/Eva|Kiel/);
  expect(readFileSync(a, 'utf8')).toMatch(/Kiel/);
  expect(await run('redact', a)).toMatchObject({ code: 1, text: `${path} exists. --force overwrites it.` });
  expect(await run('redact', a, '--force')).toMatchObject({ code: 0 });
});

test('gantry tape test writes a test to the terminal, or to a file', async () => {
  const printed = await run('test', a);
  expect(printed).toMatchObject({ code: 0, text: expect.stringContaining("await gadget.mount('notes');") });
  const out = join(folder, 'new.spec.ts');
  expect(await run('test', a, '-o', out)).toEqual({ code: 0, text: `Wrote ${out}.` });
  expect(readFileSync(out, 'utf8').trimEnd()).toBe(printed.text);
});
