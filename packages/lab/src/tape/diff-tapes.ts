import { type CanonicalLine, type CanonicalOptions, type CanonicalPart, canonicalTape } from './canonical-tape.ts';
import { createHoleMatcher } from './holes.ts';
import type { Tape } from './tape.ts';

/** A row of two tapes beside each other. */
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
 * Compares two tapes in their canonical form, line by line. With holes, generated ids and times may
 * be other values, as long as equal ones are equal in both.
 *
 * @example
 * const call = { kind: 'call', call: 1, operation: 'people.get', params: {} } as const;
 * const head = { host: 'lab', app: 'notes', scenario: {} } as const;
 * const tape = createTape(head, [{ ...call, number: 1, atMs: 0, lab: 'lab' }]);
 * diffTapes(tape, { ...tape, entries: [] }).differences; // 1
 */
export function diffTapes(a: Tape, b: Tape, options: CanonicalOptions = {}): TapeDiff {
  const [left, right] = [canonicalTape(a, options), canonicalTape(b, options)];
  const matcher = createHoleMatcher();
  const shape = options.holes ? matcher.shape : (text: string) => text;
  const rows = (['call', 'reply', 'happening'] as const).flatMap((part) => {
    const of = (lines: readonly CanonicalLine[]) => lines.filter((line) => line.part === part);
    return pairChanges(align(of(left), of(right), shape)).map(([one, other]): DiffRow => {
      const row = { part, ...(one && { a: one }), ...(other && { b: other }) };
      if (!one) return { ...row, kind: 'added' };
      if (!other) return { ...row, kind: 'missing' };
      const isSame = shape(one.text) === shape(other.text) && (!options.holes || matcher.fits(one.text, other.text));
      if (isSame) return { ...row, kind: 'same' };
      return { ...row, kind: 'changed', members: membersThatDiffer(one.text, other.text) };
    });
  });
  const differences = rows.filter(({ kind }) => kind !== 'same').length;
  return { isEqual: differences === 0, differences, rows };
}

type Pair = readonly [a: CanonicalLine | undefined, b: CanonicalLine | undefined];

/** Pairs equal lines by longest common subsequence; beyond a bound of work by position. */
function align(a: readonly CanonicalLine[], b: readonly CanonicalLine[], shape: (text: string) => string): Pair[] {
  const [left, right] = [a.map(({ text }) => shape(text)), b.map(({ text }) => shape(text))];
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start += 1;
  let tail = 0;
  while (
    tail < Math.min(left.length, right.length) - start &&
    left[left.length - 1 - tail] === right[right.length - 1 - tail]
  ) {
    tail += 1;
  }
  const [rows, columns] = [left.length - start - tail, right.length - start - tail];
  const pairs: Pair[] = a.slice(0, start).map((line, index) => [line, b[index]]);
  if (rows * columns > mostCells) {
    for (let index = start; index < start + Math.max(rows, columns); index++) {
      pairs.push([index < start + rows ? a[index] : undefined, index < start + columns ? b[index] : undefined]);
    }
  } else {
    const width = columns + 1;
    const lengths = new Uint32Array((rows + 1) * width);
    for (let row = rows - 1; row >= 0; row--) {
      for (let column = columns - 1; column >= 0; column--) {
        lengths[row * width + column] =
          left[start + row] === right[start + column]
            ? (lengths[(row + 1) * width + column + 1] as number) + 1
            : Math.max(lengths[(row + 1) * width + column] as number, lengths[row * width + column + 1] as number);
      }
    }
    let [row, column] = [0, 0];
    while (row < rows || column < columns) {
      const isEqual = row < rows && column < columns && left[start + row] === right[start + column];
      const down = row < rows ? (lengths[(row + 1) * width + column] as number) : -1;
      const across = column < columns ? (lengths[row * width + column + 1] as number) : -1;
      if (isEqual) pairs.push([a[start + row++], b[start + column++]]);
      else if (down >= across) pairs.push([a[start + row++], undefined]);
      else pairs.push([undefined, b[start + column++]]);
    }
  }
  const [endA, endB] = [a.slice(a.length - tail), b.slice(b.length - tail)];
  if (tail > 0) endA.forEach((line, index) => void pairs.push([line, endB[index]]));
  return pairs;
}

/** Joins a missing and an added line of the same call, reply or event into one changed row. */
function pairChanges(pairs: readonly Pair[]): readonly Pair[] {
  const done: Pair[] = [];
  let run: Pair[] = [];
  const flush = (): void => {
    const added = run.filter(([a, b]) => !a && b).map(([, b]) => b as CanonicalLine);
    const byName = Map.groupBy(added, nameOf);
    const used = new Set<CanonicalLine>();
    for (const [a, b] of run) {
      const partner = a && !b ? byName.get(nameOf(a))?.shift() : undefined;
      if (partner) used.add(partner);
      if (a) done.push([a, partner ?? b]);
    }
    for (const line of added) if (!used.has(line)) done.push([undefined, line]);
    run = [];
  };
  for (const pair of pairs) {
    if (pair[0] && pair[1]) {
      flush();
      done.push(pair);
    } else run.push(pair);
  }
  flush();
  return done;
}

function nameOf({ text }: CanonicalLine): string {
  const { kind, operation, name, what, decision, call } = JSON.parse(text) as Readonly<Record<string, unknown>>;
  return JSON.stringify([kind, operation ?? name ?? what ?? (decision === undefined ? call : 'decision')]);
}

function membersThatDiffer(a: string, b: string): NonNullable<DiffRow['members']> {
  const found: { path: string; a?: string; b?: string }[] = [];
  compare(JSON.parse(a), JSON.parse(b), '');
  return found;

  function compare(one: unknown, other: unknown, path: string): void {
    if (found.length >= mostMembers) return;
    const [left, right] = [JSON.stringify(one), JSON.stringify(other)];
    if (left === right) return;
    if (isTree(one) && isTree(other) && Array.isArray(one) === Array.isArray(other)) {
      for (const name of new Set([...Object.keys(one), ...Object.keys(other)])) {
        const isOwn = [Object.hasOwn(one, name), Object.hasOwn(other, name)];
        compare(isOwn[0] ? one[name] : undefined, isOwn[1] ? other[name] : undefined, path ? `${path}.${name}` : name);
      }
      return;
    }
    found.push({ path, ...(left !== undefined && { a: left }), ...(right !== undefined && { b: right }) });
  }
}

function isTree(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
