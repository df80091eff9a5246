import type { Category } from './describe.ts';
import type { Row } from './row-log.ts';

/** Choice of the rows that are shown. */
export interface RowFilter {
  /** Words in any order, each of which must occur. */
  readonly search: string;
  /** None: everything. */
  readonly chips: ReadonlySet<Category | 'refusals'>;
  /** Labs of this page. Entries of builds have none. */
  readonly labs: ReadonlySet<string>;
}

const mostText = 2_000;

/** Returns the rows that a filter lets through, in their order. */
export function selectRows(rows: readonly Row[], { search, chips, labs }: RowFilter): readonly Row[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => {
    if (!labs.has(row.lab) && row.category !== 'builds') return false;
    if (chips.size > 0 && !chips.has(row.category) && !(chips.has('refusals') && row.isRefused)) return false;
    if (words.length === 0) return true;
    const text = textOf(row);
    return words.every((word) => text.includes(word));
  });
}

function textOf(row: Row): string {
  row.text ??= [row.title, row.persona, row.app, row.decision, row.result, contentOf(row)].join(' ').toLowerCase();
  return row.text;
}

function contentOf({ entries: [first] }: Row): string {
  return first?.kind === 'call' ? (JSON.stringify(first.params) ?? '').slice(0, mostText) : '';
}
