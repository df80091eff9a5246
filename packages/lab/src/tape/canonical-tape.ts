import type { Tape, TapeEntry } from './tape.ts';
import { createWildcards } from './wildcards.ts';

export interface CanonicalOptions {
  /**
   * Replaces generated ids, times, hosts and instances by numbered wildcards, and leaves out
   * offsets and the page's cache: for tapes of a site without the clock and seed of a lab.
   * Default: false.
   */
  readonly wildcards?: boolean;
  /**
   * Order of replies and pushes: as `delivered`, or as their calls were `sent`, which ignores the
   * order of replies to concurrent calls. Default: `delivered`; with wildcards `sent`.
   */
  readonly replies?: 'delivered' | 'sent';
}

/** One line of a canonical form. */
export interface CanonicalLine {
  readonly part: CanonicalPart;
  /** JSON with members in the order of their names. */
  readonly text: string;
  /** Number of the entry in its record. */
  readonly number: number;
}

/** Part of a canonical form: calls · replies and pushes · events, actions and states of the app. */
export type CanonicalPart = 'call' | 'reply' | 'event';

/**
 * Brings a tape into the form in which two recordings of one conversation are equal: calls in the
 * order sent, replies in the order delivered, then events and states of the app, each with its
 * offset. Leaves out heights, durations, sizes, upstream requests, and the app's console.
 */
export function canonicalTape(tape: Tape, options: CanonicalOptions = {}): readonly CanonicalLine[] {
  const { wildcards = false, replies = wildcards ? 'sent' : 'delivered' } = options;
  const calls = numberCalls(tape.entries);
  const compared = tape.entries.flatMap((entry) => {
    const members = comparedIn(entry, wildcards);
    return members ? [{ entry, members, call: calls.get(callKey(entry)) }] : [];
  });
  const parts = (['call', 'reply', 'event'] as const).map((part) => {
    const lines = compared.filter(({ entry }) => partOf(entry) === part);
    return part === 'reply' && replies === 'sent' ? lines.toSorted((a, b) => (a.call ?? 0) - (b.call ?? 0)) : lines;
  });
  const fill = wildcards ? createWildcards() : undefined;
  return parts.flat().map(({ entry, members, call }) => {
    const content = fill ? { ...(fill(members) as object) } : { at: entry.offsetMs, ...members };
    const line = { kind: entry.kind, call, ...content };
    return { part: partOf(entry), text: JSON.stringify(sorted(line)), number: entry.number };
  });
}

/** Joins the lines of a canonical form: equal texts, equal conversations. */
export function canonicalText(lines: readonly CanonicalLine[]): string {
  return lines.map(({ text }) => `${text}\n`).join('');
}

function partOf({ kind }: TapeEntry): CanonicalPart {
  if (kind === 'call') return 'call';
  return kind === 'reply' || kind === 'push' || kind === 'decision' ? 'reply' : 'event';
}

function callKey(entry: TapeEntry): string | undefined {
  return 'call' in entry ? JSON.stringify([entry.app, entry.place, entry.call]) : undefined;
}

/** Numbers calls in the order sent, over all places: a second mount counts anew. */
function numberCalls(entries: readonly TapeEntry[]): ReadonlyMap<string | undefined, number> {
  const numbers = new Map<string | undefined, number>();
  for (const entry of entries) if (entry.kind === 'call') numbers.set(callKey(entry), numbers.size + 1);
  return numbers;
}

/** Members of an entry that are compared, by its kind. Other kinds are left out. */
const compared: { readonly [Kind in TapeEntry['kind']]?: readonly string[] } = {
  call: ['operation', 'params'],
  decision: ['decision'],
  reply: ['ok', 'error'],
  push: ['ok', 'error'],
  context: ['context'],
  event: ['name', 'data'],
  action: ['name', 'params', 'error'],
  load: ['what', 'why', 'error'],
  incident: ['name', 'detail'],
  refusal: ['error', 'operation'],
  limit: ['limit'],
  'script-error': ['message'],
  policy: ['directive', 'blocked'],
  sandbox: ['name'],
  clock: ['jumpMs'],
  fault: ['fault', 'operation'],
};

/** Returns the members of an entry to compare, if there are any. */
function comparedIn(entry: TapeEntry, wildcards: boolean): object | undefined {
  if (entry.kind === 'decision' && wildcards) return undefined;
  if (entry.kind === 'action' && (entry.name === 'adjustHeight' || entry.name === 'left')) return undefined;
  const members: Readonly<Record<string, unknown>> = entry;
  const names = compared[entry.kind];
  return names && Object.fromEntries(names.map((name) => [name, members[name]]));
}

/** Sorts the members of objects, since their order has no meaning. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]): [string, unknown] => [name, sorted(member)]);
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}
