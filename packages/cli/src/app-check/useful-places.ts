import { problem } from '@gantry/lab/record';
import type { Finding } from './finding.ts';

/** Columns that an author counts. */
const lastColumn = 500;
/** Places of one problem in one file. */
const mostPlaces = 10;

/** Leaves out columns of built files, and further places of problems that have many. */
export function usefulPlaces(findings: readonly Finding[]): readonly Finding[] {
  const counts = new Map<string, number>();
  const built = new Set<string>();
  const useful = findings.flatMap((finding): readonly Finding[] => {
    const { line, column = 0, ...rest } = finding;
    const { file, id, what } = rest;
    if (file === undefined || line === undefined) return [finding];
    const isBuilt = column > lastColumn;
    if (isBuilt) built.add(file);
    const key = JSON.stringify([file, id, what, isBuilt]);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count > (isBuilt ? 1 : mostPlaces) ? [] : [isBuilt ? rest : finding];
  });
  const files = [...built].map((file): Finding => ({ ...problem('built-file', { file }), level: 'warning', file }));
  return [...useful, ...files];
}
