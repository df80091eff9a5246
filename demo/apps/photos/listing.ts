import type { Collection } from '@gantry/osapi';

/** The fetched items of a paged list. */
export interface Listing<T> {
  readonly items: T[];
  total: number;
}

export function createListing<T>(): Listing<T> {
  return { items: [], total: Number.POSITIVE_INFINITY };
}

/** Fetches and adds the next page. */
export async function fetchMore<T>(
  listing: Listing<T>,
  fetchPage: (startIndex: number) => PromiseLike<Collection<T>>,
): Promise<void> {
  const page = await fetchPage(listing.items.length);
  listing.items.push(...page.list);
  listing.total = page.list.length === 0 ? listing.items.length : page.totalResults;
}

export function hasMore({ items, total }: Listing<unknown>): boolean {
  return items.length < total;
}
