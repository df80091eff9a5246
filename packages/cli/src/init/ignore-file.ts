import type { Change } from '../project/change.ts';
import { lineEnding } from '../project/edit-text.ts';
import type { Project } from '../project/project.ts';

/** Adds missing lines to `.gitignore`. */
export function ignoreFile({ read }: Pick<Project, 'read'>, lines: readonly string[]): Change {
  const path = '.gitignore';
  const before = read(path);
  const text = before ?? '';
  const there = new Set(text.split(/\r?\n/).map(plain));
  const missing = lines.filter((line) => !there.has(plain(line)));
  const end = lineEnding(text);
  const gap = text === '' || text.endsWith('\n') ? '' : end;
  const after = missing.length === 0 ? text : text + gap + missing.map((line) => line + end).join('');
  return { path, ...(before !== undefined && { before }), after };
}

function plain(line: string): string {
  return line.trim().replace(/^\//, '').replace(/\/$/, '');
}
