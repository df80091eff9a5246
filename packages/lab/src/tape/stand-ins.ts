/** Replacements of one tape's values: equal values have equal stand-ins, different ones differ. */
export interface StandIns {
  /**
   * Replaces every word of a text. Spaces, punctuation, letter case, kind of script and lengths
   * stay; domains become reserved ones (RFC 2606).
   *
   * @param isKept True for a word that says nothing about a person.
   */
  text(text: string, isKept?: (word: string) => boolean): string;
  /** Replaces a whole value: an id, a name, a number that identifies something. */
  word(word: string): string;
  /** Replaces a day by one of the same form. An unknown year stays unknown. */
  day(day: string): string;
  /** Replaces whole years of age. */
  age(years: number): number;
}

// A word ends at white space or ASCII punctuation; parts of a domain are words or hyphens, or the
// stand-ins of `@w.§` would look like a domain. No alternative backtracks.
const parts =
  /(?<start>\/\/)(?<authority>[^\s/?#"'<>()\\,;]+)|@(?<domain>[^\s!-,./:-@[-`{-~]+(?:\.[^\s!-,./:-@[-`{-~]+)+)|(?<word>[^\s!-/:-@[-`{-~]+)|(?<space>\s{4,})|(?<marks>[!-/:-@[-`{-~]{4,})/gu;
const reserved = '.example';

/**
 * Makes stand-ins, numbered in order of appearance: redacting twice changes nothing.
 *
 * @example
 * createStandIns().text('Ann Bell, 0171 5550199'); // 'Bae Caei, 0000 1000000'
 */
export function createStandIns(): StandIns {
  const counts = new Map<string, number>();
  const words = new Map<string, string>();
  const days = new Map<string, string>();
  const ages = new Map<number, number>();

  function next(kind: string): number {
    const count = counts.get(kind) ?? 0;
    counts.set(kind, count + 1);
    return count;
  }

  function word(value: string): string {
    return once(words, value, () => {
      const kind = kindOf(value);
      return kind === 'digits' ? writeDigits(value, next) : withCase(value, write(kind, next(kind), value.length));
    });
  }

  /** Replaces a host with its port, or a domain, by a word below a reserved domain. */
  function place(value: string): string {
    const bare = value.endsWith(reserved) ? value.slice(0, -reserved.length) : value;
    const key = /^[a-z]+$/.test(bare) ? bare : `//${value}`;
    return once(words, key, () => write('letters', next('letters'), bare.length)) + reserved;
  }

  return {
    word,
    text: (text, isKept) =>
      text.replace(parts, (whole: string, ...rest: unknown[]) => {
        const { authority, domain, word: one, space, marks } = rest.at(-1) as Readonly<Record<string, string>>;
        if (authority !== undefined) return `//${place(authority)}`;
        if (domain !== undefined) return `@${place(domain)}`;
        if (one !== undefined) return isKept?.(one) ? one : word(one);
        if (marks !== undefined) return marks.slice(0, 3).replaceAll(/[/@]/g, ','); // or a host or a domain would begin here
        return (space ?? whole).slice(0, 3);
      }),
    day: (value) => once(days, value, () => writeDay(value, next('day'))),
    age: (years) => once(ages, years, () => 20 + next('age')),
  };
}

/** Returns the value of a key, which `make` makes once. */
function once<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}

/**
 * Varies the day before the year: 336 days each. Those with an unknown year use all of them, so
 * that no two are equal.
 */
function writeDay(day: string, count: number): string {
  const year = day.startsWith('0000') ? 0 : 1950 + (Math.floor(count / 336) % 8_000);
  return [pad(year, 4), pad(1 + (count % 12), 2), pad(1 + (Math.floor(count / 12) % 28), 2)].join(day.charAt(4));
}

/** Features of a word that its stand-in shares. */
type Kind = 'digits' | 'hex' | 'mixed' | 'rtl' | 'wide' | 'letters';

function kindOf(word: string): Kind {
  if (/^\d+$/.test(word)) return 'digits';
  if (/[\u0590-\u08ff]/.test(word)) return 'rtl';
  if (/[\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/.test(word)) return 'wide';
  if (!/\d/.test(word)) return 'letters';
  return /^(?:[\da-f]+|[\dA-F]+)$/.test(word) ? 'hex' : 'mixed';
}

/** Characters that count, and characters that pad a word to its length. */
const alphabets: Readonly<Record<Exclude<Kind, 'digits'>, { readonly count: string; readonly fill: string }>> = {
  hex: { count: '123456789', fill: 'a0' },
  mixed: { count: '123456789', fill: 'x0' },
  rtl: { count: 'בגדהזחטכלמנספצקר', fill: 'אוי' },
  wide: { count: '一二三四五六七八', fill: '口日' },
  letters: { count: 'bcdfghjklmnpqrstvz', fill: 'aeiou' },
};

/** Writes a number as a word, unique within its kind and length. */
function write(kind: Exclude<Kind, 'digits'>, number: number, length: number): string {
  const { count, fill } = alphabets[kind];
  let word = '';
  for (let left = number; ; left = Math.floor(left / count.length) - 1) {
    word = count.charAt(left % count.length) + word;
    if (left < count.length) break;
  }
  // A word of digits and letters keeps one of each: its stand-in must be of the same kind.
  const least = kind === 'hex' || kind === 'mixed' ? word.length + 1 : word.length;
  const missing = Math.max(length, least) - word.length;
  return word + fill.repeat(Math.ceil(missing / fill.length)).slice(0, missing);
}

/** Counts upwards within a length: it never runs out, and numeric member names stay sorted. */
function writeDigits(word: string, next: (kind: string) => number): string {
  if (word === '0') return word;
  const { length } = word;
  const isPadded = word.startsWith('0');
  const count = next(`${isPadded ? 'padded' : 'number'} ${length}`);
  if (isPadded) return pad(count, length);
  return length > 15 ? `1${pad(count, length - 1)}` : String(10 ** (length - 1) + count);
}

function withCase(original: string, standIn: string): string {
  if (original === original.toLowerCase()) return standIn;
  if (original.length > 1 && original === original.toUpperCase()) return standIn.toUpperCase();
  const first = original.charAt(0);
  return first === first.toLowerCase() ? standIn : standIn.charAt(0).toUpperCase() + standIn.slice(1);
}

function pad(number: number, length: number): string {
  return String(number).padStart(length, '0');
}
