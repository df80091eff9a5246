import { type CanonicalLine, type CanonicalOptions, type CanonicalPart, canonicalTape } from './canonical-tape.ts';
import type { Tape } from './tape.ts';
import { createWildcardMatcher } from './wildcards.ts';

/** A row of a side-by-side comparison. */
export interface DiffRow {
  readonly part: CanonicalPart;
  /** `changed`: the same call, event or reply, with other content. */
  readonly kind: 'same' | 'missing' | 'added' | 'changed';
  /** Line of the first tape; absent where it was added. */
  readonly a?: CanonicalLine;
  /** Line of the second tape; absent where it is missing. */
  readonly b?: CanonicalLine;
  /** Members that differ, at most 20: `params.count`. Both values are JSON, or undefined. */
  readonly members?: readonly { readonly path: string; readonly a?: string; readonly b?: string }[];
}

export interface TapeDiff {
  readonly isEqual: boolean;
  /** Rows that are not `same`. */
  readonly differences: number;
  readonly rows: readonly DiffRow[];
}

const mostCells = 4_000_000;
const mostMembers = 20;

/**
 * Compares two tapes in their canonical form, line by line. With wildcards, generated ids and times
 * may be other values, as long as equal ones are equal in both.
 */
export function diffTapes(a: Tape, b: Tape, options: CanonicalOptions = {}): TapeDiff {
  const [left, right] = [canonicalTape(a, options), canonicalTape(b, options)];
  const matcher = createWildcardMatcher();
  const shape = options.wildcards ? matcher.shape : (text: string) => text;
  const rows = (['call', 'reply', 'event'] as const).flatMap((part) => {
    const of = (lines: readonly CanonicalLine[]): readonly Keyed[] =>
      lines.flatMap((line) => (line.part === part ? [{ line, key: shape(line.text) }] : []));
    return pairChanges(align(of(left), of(right))).map(([one, other]): DiffRow => {
      const row = { part, ...(one && { a: one }), ...(other && { b: other }) };
      if (!one) return { ...row, kind: 'added' };
      if (!other) return { ...row, kind: 'missing' };
      const isSame =
        shape(one.text) === shape(other.text) && (!options.wildcards || matcher.fits(one.text, other.text));
      if (isSame) return { ...row, kind: 'same' };
      return { ...row, kind: 'changed', members: membersThatDiffer(one.text, other.text) };
    });
  });
  const differences = rows.filter(({ kind }) => kind !== 'same').length;
  return { isEqual: differences === 0, differences, rows };
}

type Pair = readonly [a: CanonicalLine | undefined, b: CanonicalLine | undefined];

/** A line with the text by which it is compared. */
interface Keyed {
  readonly line: CanonicalLine;
  readonly key: string;
}

/** Pairs equal lines; beyond a bound of work those that differ are paired by position. */
function align(a: readonly Keyed[], b: readonly Keyed[]): readonly Pair[] {
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && a[start]?.key === b[start]?.key) start += 1;
  let tail = 0;
  while (tail < most - start && a.at(-1 - tail)?.key === b.at(-1 - tail)?.key) tail += 1;
  const [middleA, middleB] = [a.slice(start, a.length - tail), b.slice(start, b.length - tail)];
  const isLong = middleA.length * middleB.length > mostCells;
  return [
    ...byPosition(a.slice(0, start), b.slice(0, start)),
    ...(isLong ? byPosition(middleA, middleB) : bySubsequence(middleA, middleB)),
    ...byPosition(a.slice(a.length - tail), b.slice(b.length - tail)),
  ];
}

function byPosition(a: readonly Keyed[], b: readonly Keyed[]): readonly Pair[] {
  return Array.from({ length: Math.max(a.length, b.length) }, (_, index) => [a[index]?.line, b[index]?.line]);
}

/** Pairs lines by their longest common subsequence. */
function bySubsequence(a: readonly Keyed[], b: readonly Keyed[]): readonly Pair[] {
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width); // longest common subsequence from each row and column on
  const lengthAt = (row: number, column: number): number => lengths[row * width + column] as number;
  const isEqual = (row: number, column: number): boolean => a[row]?.key === b[column]?.key;
  for (let row = a.length - 1; row >= 0; row--) {
    for (let column = b.length - 1; column >= 0; column--) {
      lengths[row * width + column] = isEqual(row, column)
        ? lengthAt(row + 1, column + 1) + 1
        : Math.max(lengthAt(row + 1, column), lengthAt(row, column + 1));
    }
  }
  const pairs: Pair[] = [];
  let [row, column] = [0, 0];
  while (row < a.length || column < b.length) {
    if (isEqual(row, column)) pairs.push([a[row++]?.line, b[column++]?.line]);
    else if (column === b.length || (row < a.length && lengthAt(row + 1, column) >= lengthAt(row, column + 1))) {
      pairs.push([a[row++]?.line, undefined]);
    } else pairs.push([undefined, b[column++]?.line]);
  }
  return pairs;
}

/** Joins a missing and an added line of the same call, reply or event into one changed row. */
function pairChanges(pairs: readonly Pair[]): readonly Pair[] {
  const done: (readonly Pair[])[] = [];
  let run: Pair[] = [];
  const flush = (): void => {
    const added = run.flatMap(([, b]) => b ?? []);
    const byName = Map.groupBy(added, nameOf);
    const changed = run.flatMap(([a]): Pair[] => (a ? [[a, byName.get(nameOf(a))?.shift()]] : []));
    const used = new Set(changed.map(([, b]) => b));
    const left = added.filter((line) => !used.has(line));
    done.push(
      changed,
      left.map((line) => [undefined, line]),
    );
    run = [];
  };
  for (const pair of pairs) {
    if (pair[0] && pair[1]) {
      flush();
      done.push([pair]);
    } else run.push(pair);
  }
  flush();
  return done.flat();
}

function nameOf({ text }: CanonicalLine): string {
  const { kind, operation, name, what, decision, call } = JSON.parse(text) as Readonly<Record<string, unknown>>;
  return JSON.stringify([kind, operation ?? name ?? what ?? (decision === undefined ? call : 'decision')]);
}

function membersThatDiffer(a: string, b: string): NonNullable<DiffRow['members']> {
  const differences: { path: string; a?: string; b?: string }[] = [];
  compare(JSON.parse(a), JSON.parse(b), '');
  return differences;

  function compare(one: unknown, other: unknown, path: string): void {
    if (differences.length >= mostMembers) return;
    const [left, right] = [JSON.stringify(one), JSON.stringify(other)];
    if (left === right) return;
    if (isTree(one) && isTree(other) && Array.isArray(one) === Array.isArray(other)) {
      for (const name of new Set([...Object.keys(one), ...Object.keys(other)])) {
        const isOwn = [Object.hasOwn(one, name), Object.hasOwn(other, name)];
        compare(isOwn[0] ? one[name] : undefined, isOwn[1] ? other[name] : undefined, path ? `${path}.${name}` : name);
      }
      return;
    }
    differences.push({ path, ...(left !== undefined && { a: left }), ...(right !== undefined && { b: right }) });
  }
}

function isTree(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
