import type { ListEnvelope } from '@gantry/wire';
import type { Page, Range } from '../store/page.ts';

/** Wraps one page of a list, each row as an item. */
export function pageEnvelope<R, T>({ rows, total }: Page<R>, range: Range, itemOf: (row: R) => T): ListEnvelope<T> {
  return { entry: rows.map(itemOf), startIndex: range.startIndex, totalResults: total, itemsPerPage: range.count };
}

/** Wraps one page of a list that is in memory as a whole. */
export function slicedEnvelope<T>(all: readonly T[], range: Range): ListEnvelope<T> {
  const rows = all.slice(range.startIndex, range.startIndex + range.count);
  return pageEnvelope({ rows, total: all.length }, range, (item) => item);
}
