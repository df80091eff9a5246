/** Stand-ins of one tape, one to one: equal values have equal ones. */
export interface StandIns {
  /**
   * Replaces every word of a text. Spaces, punctuation, letter case, kind of script and lengths
   * stay; domains become ones that no one can own (RFC 2606).
   *
   * @param isKept True for a word that says nothing about a person.
   */
  text(text: string, isKept?: (word: string) => boolean): string;
  /** Replaces a whole value: an id, a secret name, a number that is none. */
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
    const known = words.get(value);
    if (known !== undefined) return known;
    const kind = kindOf(value);
    const standIn =
      kind === 'digits' ? writeDigits(value, next) : withCase(value, write(kind, next(kind), value.length));
    words.set(value, standIn);
    return standIn;
  }

  /** Replaces host and port, or a domain, by one word below a reserved domain. */
  function place(value: string): string {
    const bare = value.endsWith(reserved) ? value.slice(0, -reserved.length) : value;
    const isWord = /^[a-z]+$/.test(bare);
    const key = isWord ? bare : `//${value}`;
    const known = words.get(key);
    if (known !== undefined) return known + reserved;
    const standIn = write('letters', next('letters'), bare.length);
    words.set(key, standIn);
    return standIn + reserved;
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
    day(value) {
      const known = days.get(value);
      if (known !== undefined) return known;
      const count = next('day');
      const mark = value.charAt(4);
      const isUnknown = value.startsWith('0000');
      // Varies the day before the year: 336 days each. Those with an unknown year use all of them,
      // so that no two are equal.
      const [month, day] = [1 + (count % 12), 1 + (Math.floor(count / 12) % 28)];
      const year = isUnknown ? 0 : 1950 + (Math.floor(count / 336) % 8_000);
      const standIn = [pad(year, 4), pad(month, 2), pad(day, 2)].join(mark);
      days.set(value, standIn);
      return standIn;
    },
    age(years) {
      const known = ages.get(years);
      if (known !== undefined) return known;
      const standIn = 20 + next('age');
      ages.set(years, standIn);
      return standIn;
    },
  };
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
