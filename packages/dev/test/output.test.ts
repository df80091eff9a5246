import { createRecord, type LabEvent } from '@gantry/lab';
import { createExplainer } from '@gantry/lab/record';
import { expect, test } from 'vitest';
import { createJsonLines, line } from '../src/output/json-lines.ts';
import { followProblems } from '../src/output/problems-of-run.ts';
import { createTerminal } from '../src/output/terminal.ts';

const hostile = '\u001b]0;owned\u0007\u001b[2J\u009b31m\u202egpj.exe\u200b\u2028end\r\nnext\0';
const escapes = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** A run of one app whose time is moved by hand. */
function openRun({ isColoured = false } = {}) {
  let nowMs = 10_000;
  const later: { atMs: number; run: () => void }[] = [];
  const lines: string[] = [];
  const events: string[] = [];
  const record = createRecord({ now: () => nowMs });
  const explain = createExplainer({ manifestOf: () => ({ uses: ['people.get'] }) });
  for (const listener of [
    createTerminal({ write: (text) => lines.push(text), isColoured }),
    createJsonLines((text) => events.push(text)),
  ]) {
    record.subscribe(listener.onEntry);
    record.subscribe(
      followProblems({
        explain,
        listener,
        after(ms, run) {
          const timer = { atMs: nowMs + ms, run };
          later.push(timer);
          return () => void later.splice(later.indexOf(timer), 1);
        },
      }),
    );
  }
  return {
    lines,
    events: () =>
      events.map(
        (text) => JSON.parse(text) as { event: string; id?: string; count?: number; where?: { line: number } },
      ),
    add: (event: LabEvent) => record.add({ lab: 'lab', app: 'hello', ...event }),
    pass(ms: number) {
      nowMs += ms;
      for (const timer of later.filter(({ atMs }) => atMs <= nowMs)) {
        later.splice(later.indexOf(timer), 1);
        timer.run();
      }
    },
  };
}

const refused: LabEvent = {
  kind: 'policy',
  directive: 'img-src',
  blocked: 'https://b.example/1.png',
  where: { file: 'index.html', line: 4, column: 7, text: '<img src="https://b.example/1.png">' },
};
const start: LabEvent = { kind: 'load', what: 'start' };
const ready: LabEvent = { kind: 'load', what: 'ready' };

test('a problem is one block: what, place, cure and the line to write', () => {
  const { lines, add } = openRun();
  add(refused);
  expect(lines).toEqual([
    '',
    '✗ A picture of https://b.example is refused: gadget.json does not list this origin. [hello host-not-listed]',
    '  index.html:4:7  <img src="https://b.example/1.png">',
    '  Add it to `hosts` in gadget.json, which members are asked about, or save the file in the folder.',
    '    "hosts": ["https://b.example"]',
  ]);
});

test('a problem that comes again is counted instead of printed', () => {
  const { lines, events, add, pass } = openRun();
  for (let index = 0; index < 1_000; index++) add(refused);
  expect(lines).toHaveLength(5);
  pass(5_000);
  expect(lines.slice(5)).toEqual([
    '  1000 times: A picture of https://b.example is refused: gadget.json does not list this origin. [hello]',
  ]);
  expect(events().at(-1)).toMatchObject({ event: 'repeated', id: 'host-not-listed', count: 1_000 });
});

test('a second place of a problem is reported too, five in all, and more are counted', () => {
  const { events, add } = openRun();
  for (let line = 1; line <= 9; line++) add({ ...refused, where: { file: 'index.html', line } } as LabEvent);
  expect(events().map(({ where }) => where?.line)).toEqual([1, 2, 3, 4, 5]);
});

test('a policy violation and an error of one place are one problem', () => {
  const { events, add } = openRun();
  const where = { file: 'main.js', line: 3 };
  add({ kind: 'policy', directive: 'connect-src', blocked: 'https://b.example/', where });
  add({ kind: 'script-error', message: 'TypeError: Failed to fetch', where });
  expect(events()).toHaveLength(1);
});

test('a problem of the start is resolved when the app started again without it, and quiet came', () => {
  const { lines, events, add, pass } = openRun();
  add(start);
  add(refused);
  add(start);
  add(ready);
  expect(lines).toHaveLength(5);
  pass(2_000);
  expect(lines.at(-1)).toBe(
    '✓ resolved: A picture of https://b.example is refused: gadget.json does not list this origin. [hello]',
  );
  expect(events().at(-1)).toMatchObject({ event: 'resolved', id: 'host-not-listed' });
  add(refused);
  expect(lines).toHaveLength(11);
});

test('a problem that remains after a reload is not resolved', () => {
  const { lines, add, pass } = openRun();
  for (const entry of [start, refused, start, ready, refused]) add(entry);
  pass(2_000);
  expect(lines.join()).not.toContain('resolved');
});

test('an app that cannot be built ran nothing, so nothing of it is resolved', () => {
  const { lines, add, pass } = openRun();
  for (const entry of [start, refused]) add(entry);
  add({ kind: 'build', problem: { message: 'Unexpected token' } });
  for (const entry of [start, ready]) add(entry);
  pass(2_000);
  expect(lines.join()).not.toContain('resolved');
  add({ kind: 'build' });
  expect(lines.at(-1)).toBe('✓ resolved: Unexpected token [hello]');
});

test('a problem that a member caused is not resolved by a reload', () => {
  const { lines, add, pass } = openRun();
  add(start);
  pass(6_000);
  add(refused);
  for (const entry of [start, ready]) add(entry);
  pass(2_000);
  expect(lines.join()).not.toContain('resolved');
});

test('a gadget.json that is right again is resolved, another mistake in it takes the place of the first', () => {
  const { events, add } = openRun();
  add({ kind: 'manifest', problem: 'gadget.json:1:2 is not JSON: there is a comma after the last item.' });
  add({ kind: 'manifest', problem: 'gadget.json:1:5 is not JSON: JSON has no comments.' });
  add({ kind: 'manifest', asks: ['people'] });
  const endings = events().filter(({ event }) => ['problem', 'resolved'].includes(event));
  expect(endings.map(({ event, id }) => [event, id])).toEqual([
    ['problem', 'manifest-json'],
    ['problem', 'manifest-json'],
    ['resolved', 'manifest-json'],
  ]);
});

test('members will be asked for what a changed gadget.json declares', () => {
  const { lines, add } = openRun();
  add({ kind: 'manifest', asks: ['activities.post'] });
  add({ kind: 'manifest', asks: ['activities.post'] }); // of another lab
  expect(lines).toHaveLength(1);
  expect(lines.at(-1)).toMatch(/^members will be asked: .*\(activities\.post\)$/);
});

test('nothing of an app reaches the terminal as an escape sequence or a mark of direction', () => {
  const { lines, add } = openRun();
  add({ kind: 'console', level: 'error', text: hostile, where: { file: hostile, line: 1 } });
  add({ kind: 'script-error', message: hostile, where: { file: hostile, line: 1, text: hostile } });
  add({ kind: 'build', problem: { message: hostile, frame: `a\n${hostile}`, where: { file: hostile, line: 1 } } });
  add({ kind: 'manifest', problem: hostile });
  add({ kind: 'manifest', asks: [hostile] });
  add({ kind: 'policy', directive: 'connect-src', blocked: hostile });
  add({ kind: 'file', element: hostile, address: hostile });
  expect(lines.length).toBeGreaterThan(15);
  for (const text of lines) expect(text).not.toMatch(escapes);
  expect(hostile).toMatch(escapes); // the control
});

test('an event is one line, whatever an app put into it', () => {
  expect(line({ event: 'console', text: hostile })).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
  expect(JSON.parse(line({ event: 'console', text: hostile }))).toEqual({ event: 'console', text: hostile });
});

test('colours are for terminals', () => {
  const [plain, coloured] = [openRun(), openRun({ isColoured: true })];
  for (const { add } of [plain, coloured]) add(refused);
  expect(plain.lines.join('')).not.toContain('\u001b[');
  expect(coloured.lines.join('')).toContain('\u001b[31m✗\u001b[39m');
});
