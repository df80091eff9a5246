import { bounds, SocialError } from '@gantry/wire';

/** Parsed JSON value. Objects lack a prototype, so `__proto__` and `constructor` are plain keys. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

const space = /[ \t\n\r]*/y;
const scalar = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

const emptyObject: Json = Object.freeze(Object.create(null));

/** Values that texts may still have together. */
export interface ValueBudget {
  left: number;
}

/**
 * Parses JSON (RFC 8259). Unlike `JSON.parse`, it refuses repeated keys, nesting deeper than 64,
 * more than 50,000 values and strings with lone surrogates (contract §2).
 *
 * @param budget Values of all texts of one body; each takes its own from it.
 * @throws SocialError BAD_REQUEST that names the offset of the fault.
 */
export function readJson(source: string, budget: ValueBudget = { left: bounds.values }): Json {
  let at = 0;

  function value(depth: number): Json {
    budget.left -= 1;
    if (budget.left < 0) throw new SocialError('BAD_REQUEST', `A body has at most ${bounds.values} values in JSON.`);
    const first = source[at];
    if (first === '{') return object(depth + 1);
    if (first === '[') return array(depth + 1);
    if (first === '"') return string();
    return JSON.parse(token(scalar, 'a value'));
  }

  function object(depth: number): Json {
    let members: Record<string, Json> | undefined; // an empty one with its table takes 450 bytes
    items('}', depth, () => {
      const start = at;
      const key = string();
      members ??= Object.create(null) as Record<string, Json>;
      if (key in members) throw malformed('a key that is not repeated', start);
      expect(':');
      members[key] = value(depth);
    });
    return members ?? emptyObject;
  }

  function array(depth: number): Json {
    const list: Json[] = [];
    items(']', depth, () => list.push(value(depth)));
    return list;
  }

  function items(close: string, depth: number, item: () => void): void {
    if (depth > bounds.depth) throw malformed(`nesting of at most ${bounds.depth}`);
    at += 1;
    token(space, 'space');
    if (source[at] === close) {
      at += 1;
      return;
    }
    for (;;) {
      item();
      token(space, 'space');
      if (source[at] === close) break;
      expect(',');
    }
    at += 1;
  }

  function string(): string {
    const start = at;
    let read: string;
    try {
      read = JSON.parse(quoted()); // checks escapes and control characters
    } catch {
      throw malformed('a string', start);
    }
    if (!read.isWellFormed()) throw malformed('a string without lone surrogates', start);
    return read;
  }

  /** Returns the text up to the next quote that is not escaped. */
  function quoted(): string {
    const start = at;
    if (source[at] !== '"') return '';
    do {
      const quote = source.indexOf('"', at + 1);
      if (quote === -1) return '';
      at = quote;
    } while (isEscaped(source, at));
    at += 1;
    return source.slice(start, at);
  }

  /** Skips one character with the white space around it. */
  function expect(character: string): void {
    token(space, 'space');
    if (source[at] !== character) throw malformed(`"${character}"`);
    at += 1;
    token(space, 'space');
  }

  function token(pattern: RegExp, what: string): string {
    pattern.lastIndex = at;
    const match = pattern.exec(source)?.[0];
    if (match === undefined) throw malformed(what);
    at += match.length;
    return match;
  }

  function malformed(expected: string, offset = at): SocialError {
    return new SocialError('BAD_REQUEST', `The body is not valid JSON: expected ${expected} at offset ${offset}.`);
  }

  token(space, 'space');
  const whole = value(0);
  token(space, 'space');
  if (at < source.length) throw malformed('the end');
  return whole;
}

function isEscaped(source: string, offset: number): boolean {
  let backslashes = 0;
  while (source[offset - 1 - backslashes] === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}
