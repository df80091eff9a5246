import type { Entry } from '@gantry/lab';
import type { Explanation } from '@gantry/lab/record';

/** A problem of a gadget, with its cure. */
export interface Trouble {
  readonly key: string;
  readonly app: string | undefined;
  readonly place: string | undefined;
  readonly lab: string;
  readonly kind: Entry['kind'];
  readonly explanation: Explanation;
  readonly count: number;
}

const mostTroubles = 50;

/** Kinds about files: they end when files are read again, not when a document loads. */
const ofFiles: readonly Entry['kind'][] = ['manifest'];

/**
 * Returns the problems after one more entry. A repeated problem is counted, and a new document ends
 * those of the one before. Build errors have a card of their own.
 */
export function nextTroubles(
  troubles: readonly Trouble[],
  entry: Entry,
  explanation?: Explanation,
): readonly Trouble[] {
  const { app, place, lab, kind } = entry;
  const rest = troubles.filter((trouble) => !isOver(trouble, entry));
  if (!explanation || kind === 'build') return rest.length === troubles.length ? troubles : rest;
  const key = JSON.stringify([app, explanation.id, explanation.subject]);
  const before = rest.find((trouble) => trouble.key === key);
  const trouble: Trouble = { key, app, place, lab, kind, explanation, count: (before?.count ?? 0) + 1 };
  if (before) return rest.map((other) => (other === before ? trouble : other));
  return [...rest, trouble].slice(-mostTroubles);
}

function isOver(trouble: Trouble, { kind, app, place, ...entry }: Entry): boolean {
  if (trouble.app !== app) return false;
  if (ofFiles.includes(trouble.kind)) return trouble.kind === kind;
  return kind === 'load' && 'what' in entry && entry.what === 'start' && trouble.place === place;
}
