import type { TextParts } from './map-text.ts';

/** Replacements of one tape's values: equal values have equal stand-ins, different ones differ. */
export type StandIns = Pick<TextParts, 'word' | 'host' | 'day'> & {
  /** Replaces whole years of age. */
  age(years: number): number;
};

/** Signs of stand-ins by the signs that they replace: `count` of them, from `first` on. */
const ranges = [
  { form: /[a-z]/, first: 'a', count: 26 },
  { form: /[A-Z]/, first: 'A', count: 26 },
  { form: /\d/, first: '0', count: 10 },
  { form: /[!-~]/, first: "'", count: 3 }, // runs of punctuation, which are not in addresses
  { form: /[\u0590-\u08ff]/u, first: 'א', count: 27 },
  { form: /\p{Lu}/u, first: 'À', count: 23 },
  { form: /\p{Ll}/u, first: 'à', count: 23 },
  { form: /./su, first: '一', count: 20_000 },
] as const;
const countOf = new Map<string, number>(ranges.map(({ first, count }) => [first, count]));

/**
 * Makes stand-ins, numbered in order of appearance among those of one form, so that redacting twice
 * changes nothing. They keep length, letter case, direction and the place of digits.
 */
export function createStandIns(): StandIns {
  const counts = new Map<string, number>();
  const made = new Map<string, string>();

  /** Returns the stand-in of a value, which `write` writes with the number of its form. */
  function once(value: string, form: string, write: (number: number) => string): string {
    const earlier = made.get(value);
    if (earlier !== undefined) return earlier;
    const number = counts.get(form) ?? 0;
    counts.set(form, number + 1);
    const standIn = write(number);
    made.set(value, standIn);
    return standIn;
  }

  function word(value: string): string {
    if (value === '0') return value;
    if (/^\d+$/.test(value)) {
      const isPadded = value.startsWith('0');
      return once(value, `${isPadded} ${value.length}`, (number) => digits(number, value.length, isPadded));
    }
    const isMarks = /^[!-/:-@[-`{-~]+$/.test(value);
    const form = value.replace(isMarks ? /./g : /[^_-]/gsu, firstOf);
    return once(value, form, (number) => write(form, number));
  }

  return {
    word,
    host(value) {
      const [name = '', port] = value.split(/:(?=\d+$)/);
      const form = name.replace(/[^.@-]/gsu, 'a').replace(/(?<=\.)[^.]+$/, (last) => 'z'.repeat(last.length));
      return once(`//${name}`, `//${form}`, (number) => write(form, number)) + (port ? `:${word(port)}` : '');
    },
    day: (value) => once(value, 'day', (number) => writeDay(value, number)),
    age: (years) => Number(once(`age ${years}`, 'age', (number) => String(20 + number))),
  };
}

function firstOf(sign: string): string {
  return ranges.find(({ form }) => form.test(sign))?.first ?? sign;
}

/** Writes a number in the signs of a form. The first sign counts fastest. */
function write(form: string, number: number): string {
  let left = number;
  return form.replace(/./gsu, (first) => {
    const count = countOf.get(first) ?? 1;
    const sign = String.fromCodePoint((first.codePointAt(0) as number) + (left % count));
    left = Math.floor(left / count);
    return sign;
  });
}

/** Counts upwards within a length, so that names that are numbers stay sorted. */
function digits(number: number, length: number, isPadded: boolean): string {
  if (isPadded) return pad(number, length);
  if (length > 15) return `1${pad(number, length - 1)}`;
  return String((length === 13 ? 5 : 1) * 10 ** (length - 1) + number); // 13 digits beginning with 1 would be a time
}

/** Varies the day before the year; an unknown year uses 336 days each, so that no two are equal. */
function writeDay(day: string, count: number): string {
  const year = day.startsWith('0000') ? 0 : 1950 + (Math.floor(count / 336) % 8_000);
  return [pad(year, 4), pad(1 + (count % 12), 2), pad(1 + (Math.floor(count / 12) % 28), 2)].join(day.charAt(4));
}

function pad(number: number, length: number): string {
  return String(number).padStart(length, '0');
}
