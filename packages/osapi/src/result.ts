import type { Collection, Reply, ReplyMeta } from '@gantry/wire';

export type Delivered = Extract<Reply, { ok: unknown }>;

/**
 * Makes an answer what an app gets: the bare result, with nothing enumerable added. `meta` says where it comes from,
 * and a list can be iterated over all its pages.
 *
 * @param nextPages Items of the pages after `first`.
 */
export function deliver(
  { ok: result, meta }: Delivered,
  nextPages: (first: Collection<unknown>) => AsyncIterable<unknown>,
): unknown {
  if (typeof result !== 'object' || result === null) return result;
  if (meta && !Object.hasOwn(result, 'meta')) hide<ReplyMeta>(result, 'meta', meta);
  if (isCollection(result)) {
    hide(result, Symbol.asyncIterator, async function* () {
      yield* result.list;
      yield* nextPages(result);
    });
  }
  return result;
}

function isCollection(result: object): result is Collection<unknown> {
  return Array.isArray(Reflect.get(result, 'list')); // AppData has objects there, even of a member whose id is 'list'
}

function hide<T>(target: object, key: PropertyKey, value: T): void {
  Object.defineProperty(target, key, { value, writable: true, configurable: true });
}
