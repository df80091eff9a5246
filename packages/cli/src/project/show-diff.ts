import { styleText } from 'node:util';
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import type { Change } from './change.ts';

/** Colours text if standard output is a terminal that shows colours. */
export function paint(colour: 'red' | 'green' | 'cyan' | 'dim' | 'bold', text: string): string {
  return styleText(colour, text, { stream: process.stdout });
}

/** Returns the changes as one unified diff for `patch -p1`, without secrets. */
export function showDiff(changes: readonly Change[]): string {
  return changes.map(diffOf).join('\n');
}

function diffOf({ path, before, after, isSecret }: Change): string {
  const text = isSecret ? hideKeys(after) : after;
  const from = before === undefined ? '/dev/null' : `a/${path}`;
  const patch = createTwoFilesPatch(from, `b/${path}`, before ?? '', text, undefined, undefined, {
    context: 3,
    headerOptions: FILE_HEADERS_ONLY,
  });
  const lines = patch.trimEnd().split('\n');
  return lines.map((line) => coloured(line.replace(/\r$/, ''))).join('\n');
}

function hideKeys(text: string): string {
  return text.replace(/^(\w*KEY=).*$/gm, '$1(made when this is written; not shown)');
}

function coloured(line: string): string {
  if (/^(---|\+\+\+) /.test(line)) return paint('bold', line);
  if (line.startsWith('@@')) return paint('cyan', line);
  if (line.startsWith('+')) return paint('green', line);
  return line.startsWith('-') ? paint('red', line) : line;
}
