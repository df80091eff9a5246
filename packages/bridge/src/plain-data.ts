import { SocialError } from '@gantry/wire';

export interface DataLimits {
  readonly depth: number;
  /** Number of values, containers included. */
  readonly values: number;
  /** Code units of all strings and keys. */
  readonly text: number;
}

/**
 * Copies what JSON can say (and `undefined`) and nothing else: no class, no buffer, no port, no getter survives.
 * Cycles end at the depth, shared references at the number of values.
 *
 * @returns The copy, and its size: code units of its text and keys, and eight for each value.
 * @throws SocialError BAD_REQUEST for anything that is not plain data, TOO_LARGE beyond a limit.
 */
export function copyPlainData(value: unknown, limits: DataLimits): { readonly copy: unknown; readonly size: number } {
  let { values, text } = limits;

  function copyOf(from: unknown, depth: number): unknown {
    spend(1, 0);
    if (typeof from === 'string') {
      spend(0, from.length);
      return from;
    }
    if (from === null || from === undefined || typeof from === 'boolean' || typeof from === 'number') return from;
    if (depth === 0) throw new SocialError('TOO_LARGE', `Data is nested deeper than ${limits.depth} levels.`);
    if (Array.isArray(from)) {
      if (from.length > values) spend(from.length, 0); // before walking: an array can be all holes
      return Array.from(from, (item) => copyOf(item, depth - 1));
    }
    if (!isPlainObject(from)) throw new SocialError('BAD_REQUEST', 'Only plain data can cross the port.');
    const to: Record<string, unknown> = {};
    for (const key of Object.keys(from)) {
      spend(0, key.length);
      const value = copyOf(from[key], depth - 1);
      if (key === '__proto__')
        Object.defineProperty(to, key, { value, enumerable: true }); // data, like any other key
      else to[key] = value;
    }
    return to;
  }

  function spend(someValues: number, someText: number): void {
    values -= someValues;
    text -= someText;
    if (values < 0 || text < 0) throw new SocialError('TOO_LARGE', 'The message is too large.');
  }

  const copy = copyOf(value, limits.depth);
  return { copy, size: limits.text - text + 8 * (limits.values - values) };
}

/** True for an object literal or one without prototype: what structured cloning makes of plain data. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
