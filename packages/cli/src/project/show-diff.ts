import { styleText } from 'node:util';
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import type { Change } from './change.ts';

/** Colours a text. */
export type Paint = (colour: 'red' | 'green' | 'cyan' | 'dim' | 'bold', text: string) => string;

/** Colours text if standard output is a terminal that shows colours. */
export const paintForTerminal: Paint = (colour, text) => styleText(colour, text, { stream: process.stdout });

/** Returns the changes as one unified diff for `patch -p1`, without secrets. */
export function showDiff(changes: readonly Change[], paint = paintForTerminal): string {
  return changes.map((change) => diffOf(change, paint)).join('\n');
}

function diffOf({ path, before, after, isSecret }: Change, paint: Paint): string {
  const shown = isSecret ? hideKeys(after) : after;
  const from = before === undefined ? '/dev/null' : `a/${path}`;
  const patch = createTwoFilesPatch(from, `b/${path}`, before ?? '', shown, undefined, undefined, {
    context: 3,
    headerOptions: FILE_HEADERS_ONLY,
  });
  return patch
    .trimEnd()
    .split('\n')
    .map((line) => colour(line.replace(/\r$/, ''), paint))
    .join('\n');
}

function hideKeys(text: string): string {
  return text.replace(/^(\w*KEY=).*$/gm, '$1(made when this is written; not shown)');
}

function colour(line: string, paint: Paint): string {
  if (/^(---|\+\+\+) /.test(line)) return paint('bold', line);
  if (line.startsWith('@@')) return paint('cyan', line);
  if (line.startsWith('+')) return paint('green', line);
  return line.startsWith('-') ? paint('red', line) : line;
}
