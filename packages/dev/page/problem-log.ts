import type { Entry } from '@gantry/lab';
import type { Explanation } from '@gantry/lab/record';

/** A problem of a gadget, with its cure. */
export interface Problem {
  readonly key: string;
  readonly app: string | undefined;
  readonly place: string | undefined;
  readonly lab: string;
  readonly kind: Entry['kind'];
  readonly explanation: Explanation;
  readonly count: number;
}

const mostProblems = 50;
const mostPlaces = 5;

/** Kinds about files: they end when files are read again, not when a document loads. */
const ofFiles: readonly Entry['kind'][] = ['manifest'];

/**
 * Returns the problems after one more entry. A repeated problem is counted, and a new document ends
 * those of the one before. Build errors have a card of their own.
 */
export function nextProblems(
  problems: readonly Problem[],
  entry: Entry,
  explanation?: Explanation,
): readonly Problem[] {
  const { app, place, lab, kind } = entry;
  const rest = problems.filter((problem) => !isOver(problem, entry));
  if (!explanation || kind === 'build') return rest.length === problems.length ? problems : rest;
  const { id, subject, where } = explanation;
  const alike = rest.filter(
    (each) => each.app === app && each.explanation.id === id && each.explanation.subject === subject,
  );
  const same = alike.find(
    ({ explanation: { where: at } }) => !where || !at || (at.file === where.file && at.line === where.line),
  );
  const before = same ?? (alike.length < mostPlaces ? undefined : alike.at(-1));
  const key = before?.key ?? JSON.stringify([app, id, subject, where?.file, where?.line]);
  const problem: Problem = { key, app, place, lab, kind, explanation, count: (before?.count ?? 0) + 1 };
  if (before) return rest.map((other) => (other === before ? problem : other));
  return [...rest, problem].slice(-mostProblems);
}

function isOver(problem: Problem, { kind, app, place, ...entry }: Entry): boolean {
  if (problem.app !== app) return false;
  if (ofFiles.includes(problem.kind)) return problem.kind === kind;
  return kind === 'load' && 'what' in entry && entry.what === 'start' && problem.place === place;
}
