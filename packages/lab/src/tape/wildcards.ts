import { isTime, mapText } from './map-text.ts';

const timeNames = new Set(['retryAfter', 'retryAt', 'ageMs', 'delayMs', 'age']);
const idNames = new Set(['instance']);

/**
 * Makes a function that replaces ids, times and origins by wildcards, numbered in order of
 * appearance.
 * Ids that people chose, such as member names, stay: recordings share them.
 */
export function createWildcards(): (value: unknown) => unknown {
  const wildcards = new Map<string, Map<string, string>>();

  function wildcard(kind: string, value: string): string {
    const names = wildcards.get(kind) ?? new Map<string, string>();
    const standIn = names.get(value) ?? `⟨${kind} ${names.size + 1}⟩`;
    wildcards.set(kind, names.set(value, standIn));
    return standIn;
  }

  function textOf(text: string): string {
    return mapText(text.replaceAll('⟨', '('), {
      // an app cannot forge a wildcard
      word: (word) => (isGenerated(word) ? wildcard('id', word) : word),
      host: (host) => wildcard('origin', host),
      day: (day) => wildcard('time', day),
      time: (time) => wildcard('time', time),
    });
  }

  function walk(value: unknown, name: string): unknown {
    if (timeNames.has(name) && value !== '') return wildcard(name, String(value));
    if (idNames.has(name) && typeof value === 'string') return wildcard('id', value);
    if (typeof value === 'string') return textOf(value);
    if (typeof value === 'number') return isTime(value) ? wildcard('time', String(value)) : value;
    if (Array.isArray(value)) return value.map((item) => walk(item, name));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]): [string, unknown] => [textOf(key), walk(member, key)]),
    );
  }
  return (value) => walk(value, '');
}

/** Returns whether an id looks generated: many digits, or a long mix of digits and letters. */
export function isGenerated(word: string): boolean {
  const digits = word.replace(/\D/g, '').length;
  return digits >= 9 || (word.length >= 16 && digits >= 3) || /^[\da-f]{8}-[\da-f]{4}-/.test(word);
}

const written = /⟨(\w+) (\d+)⟩/g;

/** Compares lines with wildcards: equal except for numbers, and wildcards correspond one to one. */
export function createWildcardMatcher(): { shape(text: string): string; fits(a: string, b: string): boolean } {
  const toB = new Map<string, string>();
  const toA = new Map<string, string>();
  return {
    shape: (text) => text.replace(written, '⟨$1⟩'),
    fits(a, b) {
      const [left, right] = [a.match(written) ?? [], b.match(written) ?? []];
      return left.every((wildcard, index) => {
        const other = right[index] as string;
        if (!toB.has(wildcard) && !toA.has(other)) {
          toB.set(wildcard, other);
          toA.set(other, wildcard);
        }
        return toB.get(wildcard) === other && toA.get(other) === wildcard;
      });
    },
  };
}
