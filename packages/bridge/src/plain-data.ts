import { SocialError } from '@gantry/wire';

export interface DataLimits {
  readonly depth: number;
  /** Number of values, containers included. */
  readonly values: number;
  /** Code units of all strings and keys. */
  readonly text: number;
}

/**
 * Copies JSON values and `undefined`, nothing else: no class, buffer, port or getter. Cycles end at
 * the depth limit, shared references at the limit of values. @returns The copy, or the refusal:
 * BAD_REQUEST for other data, including holes and named members of lists, TOO_LARGE beyond a limit.
 * And the size so far: code units of text and keys, and eight for each value.
 */
export function copyPlainData(value: unknown, limits: DataLimits): PlainCopy {
  const copying = new Copying(limits);
  try {
    const copy = copying.of(value, limits.depth);
    return { copy, size: copying.size };
  } catch (error) {
    if (!(error instanceof SocialError)) throw error;
    return { refusal: error, size: copying.size };
  }
}

export type PlainCopy = { readonly size: number } & ({ readonly copy: unknown } | { readonly refusal: SocialError });

// A class, because most messages are one short text, and closures would cost more than the copy.
class Copying {
  readonly #limits: DataLimits;
  #values = 0;
  #text = 0;

  constructor(limits: DataLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#text + 8 * this.#values;
  }

  of(value: unknown, depth: number): unknown {
    this.#spend(1, 0);
    if (typeof value === 'string') {
      this.#spend(0, value.length);
      return value;
    }
    if (value === null || value === undefined || typeof value === 'boolean' || typeof value === 'number') return value;
    if (depth === 0) throw new SocialError('TOO_LARGE', `Data is nested deeper than ${this.#limits.depth} levels.`);
    if (Array.isArray(value)) return this.#list(value, depth - 1);
    if (!isPlainObject(value)) throw notPlain();
    return this.#object(value, depth - 1);
  }

  #list(from: readonly unknown[], depth: number): unknown {
    const { values } = this.#limits;
    if (from.length > values - this.#values) this.#spend(values + 1, 0); // throws before the walk of a sparse array
    if (!isList(from)) throw notPlain();
    const to: unknown[] = [];
    for (let index = 0; index < from.length; index++) to.push(this.of(from[index], depth));
    return to;
  }

  #object(from: Readonly<Record<string, unknown>>, depth: number): unknown {
    const to: Record<string, unknown> = {};
    for (const key of Object.keys(from)) {
      this.#spend(0, key.length);
      const value = this.of(from[key], depth);
      if (key === '__proto__')
        Object.defineProperty(to, key, { value, enumerable: true }); // data, like any other key
      else to[key] = value;
    }
    return to;
  }

  #spend(values: number, text: number): void {
    this.#values += values;
    this.#text += text;
    if (this.#values > this.#limits.values || this.#text > this.#limits.text) throw tooLarge();
  }
}

function notPlain(): SocialError {
  return new SocialError('BAD_REQUEST', 'Only plain data can cross the port.');
}

function tooLarge(): SocialError {
  return new SocialError('TOO_LARGE', 'The message is too large.');
}

/** Returns true for an array without holes and named members, which cloning keeps. */
export function isList(array: readonly unknown[]): boolean {
  return Object.keys(array).length === array.length;
}

/** Returns true for object literals and objects without prototype. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
