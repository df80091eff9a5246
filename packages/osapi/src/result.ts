import type { Collection, Reply, ReplyMeta } from '@gantry/wire';

export type Delivered = Extract<Reply, { ok: unknown }>;

/**
 * Turns a reply into the result for the app. Adds only non-enumerable members: `meta`, and
 * iteration over all pages of a list.
 *
 * @param nextPages Returns the items of the pages after `first`.
 */
export function deliver(
  { ok: result, meta }: Delivered,
  nextPages: (first: Collection<unknown>) => AsyncIterable<unknown>,
): unknown {
  if (typeof result !== 'object' || result === null) return result;
  if (meta && !Object.hasOwn(result, 'meta')) hide<ReplyMeta>(result, 'meta', meta);
  const page = result as Collection<unknown>;
  // AppData of a member with the id 'list' has an object there.
  if (Array.isArray(page.list)) {
    hide(page, Symbol.asyncIterator, async function* () {
      yield* page.list;
      yield* nextPages(page);
    });
  }
  return page;
}

function hide<T>(target: object, key: PropertyKey, value: T): void {
  Object.defineProperty(target, key, { value, writable: true, configurable: true });
}
