import type { ListEnvelope } from '@gantry/wire';
import type { Query } from '../http/query.ts';

export function listEnvelope<T>(
  entry: readonly T[],
  total: number,
  { startIndex, count }: Pick<Query, 'startIndex' | 'count'>,
): ListEnvelope<T> {
  return { entry, startIndex, totalResults: total, itemsPerPage: count };
}

/** Wraps one page of a list that is in memory as a whole. */
export function slicedEnvelope<T>(all: readonly T[], query: Pick<Query, 'startIndex' | 'count'>): ListEnvelope<T> {
  return listEnvelope(all.slice(query.startIndex, query.startIndex + query.count), all.length, query);
}
