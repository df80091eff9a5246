import type { Entry } from '@gantry/lab';
import { placeSeparator } from '@gantry/lab/page';
import type { Explanation } from '@gantry/lab/record';
import { operations, type WireError } from '@gantry/wire';
import { type Category, categoryOf, describe } from './describe.ts';

/** An entry of the list: a call with all that belongs to it, or anything else that happened. */
export interface Row {
  /** Number of its first entry. */
  readonly number: number;
  readonly atMs: number;
  readonly lab: string;
  readonly app: string | undefined;
  /** Id of the member, which the page writes in front of the place. */
  readonly persona: string | undefined;
  readonly kind: Entry['kind'];
  readonly category: Category;
  readonly title: string;
  /** The latest 50 of its entries, the first one always. */
  readonly entries: Entry[];
  decision?: string;
  isRefused: boolean;
  /** Reply, refusal or text, in a few words. */
  result: string;
  error?: WireError | undefined;
  size?: number;
  tookMs?: number;
  pushes: number;
  explanation?: Explanation;
  /** In lower case, for the search; made when it is first needed. */
  text?: string | undefined;
}

/** Rows of the record, bounded. */
export type RowLog = ReturnType<typeof createRowLog>;

const mostRows = 20_000;
const mostEntriesOfRow = 50;
const upstreamKinds: readonly Entry['kind'][] = ['upstream', 'cache'];

/** Adds decisions, replies and pushes to their call, in constant time. */
export function createRowLog() {
  let rows: Row[] = [];
  let version = 0;
  const calls = new Map<string, Row>();
  /** Open calls by operation: upstream requests meanwhile belong to them. */
  const waiting = new Map<string, Row>();

  function add(entry: Entry, explanation?: Explanation): void {
    version += 1;
    const row = rowOf(entry) ?? begin(entry);
    if (row.entries[0] !== entry) {
      row.entries.push(entry);
      if (row.entries.length > mostEntriesOfRow) row.entries.splice(1, 1);
    }
    update(row, entry);
    row.text = undefined;
    if (explanation) row.explanation = explanation;
  }

  function rowOf(entry: Entry): Row | undefined {
    if (entry.kind !== 'call' && 'call' in entry) return calls.get(keyOf(entry, entry.call));
    if (!upstreamKinds.includes(entry.kind) || !('operation' in entry)) return undefined;
    return waiting.get(JSON.stringify([entry.lab, callOf(String(entry.operation))]));
  }

  function begin(entry: Entry): Row {
    const row: Row = {
      number: entry.number,
      atMs: entry.atMs,
      lab: entry.lab,
      app: entry.app,
      kind: entry.kind,
      persona: personaOf(entry.place),
      category: categoryOf(entry),
      entries: [entry],
      pushes: 0,
      isRefused: false,
      ...describe(entry),
    };
    rows.push(row);
    if (entry.kind === 'call') {
      calls.set(keyOf(entry, entry.call), row);
      waiting.set(JSON.stringify([entry.lab, entry.operation]), row);
    }
    if (rows.length > mostRows) forgetOldest();
    return row;
  }

  function update(row: Row, entry: Entry): void {
    if (entry.kind === 'decision') row.decision = entry.decision;
    if (entry.kind !== 'reply' && entry.kind !== 'push') return;
    if (entry.kind === 'push') row.pushes += 1;
    else {
      row.tookMs = entry.tookMs;
      waiting.delete(JSON.stringify([row.lab, row.title]));
    }
    row.size = entry.size;
    row.error = entry.error;
    row.isRefused = entry.error !== undefined;
    row.result = describe(entry).result;
  }

  function forgetOldest(): void {
    const gone = rows.slice(0, mostRows / 10);
    rows = rows.slice(mostRows / 10);
    for (const { entries, lab, title } of gone) {
      const [first] = entries;
      if (first?.kind !== 'call') continue;
      calls.delete(keyOf(first, first.call));
      waiting.delete(JSON.stringify([lab, title]));
    }
  }

  return {
    get rows(): readonly Row[] {
      return rows;
    },
    /** Increases with each change. */
    get version(): number {
      return version;
    },
    add,
    clear(): void {
      version += 1;
      rows = [];
      calls.clear();
      waiting.clear();
    },
  };
}

function personaOf(place: string | undefined): string | undefined {
  return place?.includes(placeSeparator) ? place.slice(0, place.indexOf(placeSeparator)) : undefined;
}

/** Returns the SDK's name of an operation: upstream entries use the name of the API. */
function callOf(operation: string): string {
  return isOperation(operation) ? operations[operation].osapi : operation;
}

function isOperation(text: string): text is keyof typeof operations {
  return Object.hasOwn(operations, text);
}

function keyOf({ lab, app, place }: Entry, call: number): string {
  return JSON.stringify([lab, app, place, call]);
}
