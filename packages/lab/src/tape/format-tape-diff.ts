import { countText, terminalText } from '@gantry/wire/runtime';
import type { DiffRow, TapeDiff } from './diff-tapes.ts';

/** Paints text for a terminal, or returns it as it is. */
export type Paint = (colour: 'red' | 'green' | 'dim' | 'bold', text: string) => string;

export interface FormatOptions {
  /** Names of the two tapes. */
  readonly names: readonly [a: string, b: string];
  /** Differences shown, each with three rows before and after it. Default: 1. */
  readonly most?: number;
  /** Default: no colour. */
  readonly paint?: Paint;
}

const context = 3;
const width = 160;
const titles = { call: 'Calls', reply: 'Replies', event: 'Events, and what became of the app' } as const;

/** Writes a diff for a terminal: the first differences with context, and the number of others. */
export function formatTapeDiff(diff: TapeDiff, options: FormatOptions): string {
  const { most = 1, paint = (_, text) => text } = options;
  const [a, b] = options.names.map((name) => terminalText(name)) as [string, string];
  if (diff.isEqual) return `${a} and ${b} are equal: ${countText(diff.rows.length, 'line')} of their canonical form.`;

  const places = diff.rows.flatMap(({ kind }, index) => (kind === 'same' ? [] : [index])).slice(0, most);
  const lines = [`${a} and ${b} differ in ${countText(diff.differences, 'line')}.`];
  let part: DiffRow['part'] | undefined;
  let last = -1;
  for (const [index, row] of diff.rows.entries()) {
    const isNear = places.some((place) => Math.abs(place - index) <= context && diff.rows[place]?.part === row.part);
    if (!isNear || (row.kind !== 'same' && !places.includes(index))) continue;
    if (row.part !== part) lines.push('', paint('bold', titles[row.part]));
    else if (index !== last + 1) lines.push(paint('dim', '  …'));
    [part, last] = [row.part, index];
    lines.push(...rowLines(row));
  }
  const more = diff.differences - places.length;
  if (more > 0) lines.push('', `${countText(more, 'more difference')}.`);
  return lines.join('\n');

  function rowLines(row: DiffRow): readonly string[] {
    const one = row.a && terminalText(row.a.text, width);
    const other = row.b && terminalText(row.b.text, width);
    if (row.kind === 'same') return [paint('dim', `  ${one}`)];
    const numbers = `  entry ${[row.a && `${row.a.number} of ${a}`, row.b && `${row.b.number} of ${b}`].filter(Boolean).join(', ')}`;
    const members = (row.members ?? []).map(({ path, a: left = 'absent', b: right = 'absent' }) => {
      const values = [left, right].map((value) => terminalText(value, 80));
      return `      ${terminalText(path)}: ${paint('red', values[0] as string)} → ${paint('green', values[1] as string)}`;
    });
    return [
      ...(one === undefined ? [] : [paint('red', `- ${one}`)]),
      ...(other === undefined ? [] : [paint('green', `+ ${other}`)]),
      ...members,
      paint('dim', numbers),
    ];
  }
}
