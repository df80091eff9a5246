/** What is kept of characters that show nothing: each where writing needs it. */
const joiners = [
  '(?<=[\\p{L}\\p{M}])[\\u200c\\u200d](?=\\p{L})', // between letters: Persian, Hindi, Sinhala
  '(?<!\\ufe0f)(?<=\\p{M})\\u200d', // the last letter of a word in Malayalam
  '(?<=[\\p{ExtPict}\\p{EMod}\\ufe0f])\\u200d(?=\\p{ExtPict})', // families
  '(?<=[\\p{L}\\p{N}\\p{P}\\p{S}])[\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}]', // variants of a sign
  '(?<=\\p{sc=Mong})[\\u180b-\\u180d\\u180f]',
  '(?<=\\u{1f3f4})[\\u{e0030}-\\u{e0039}\\u{e0061}-\\u{e007a}]{1,8}\\u{e007f}', // flags, of Wales for example
].join('|');
/** Characters that show nothing, or turn or hide what stands around them. */
const unseen = '[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{DI}]';
/** Marks that would pile up over other lines. */
const piled = '(?<=[\\p{Mn}\\p{Me}]{6})[\\p{Mn}\\p{Me}]';
const invisible = new RegExp(`(${joiners})|${unseen}|${piled}`, 'gu');
const lineBreak = /[\t-\r\x85\u2028\u2029]/;
const visible = /(?!\u2800)[\p{L}\p{N}\p{P}\p{S}]/u; // not Braille without dots
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * Returns the fault of a name that is to be stored, as the end of a sentence, or `undefined`
 * (security rule 38). Length and emptiness have bounds of their own.
 *
 * @example
 * nameProblem('Zoë 👩‍👧'); // undefined
 * nameProblem('\u200b'); // 'must have a visible character'
 */
export function nameProblem(name: string): string | undefined {
  const clean = withoutInvisible(name);
  if (!visible.test(clean)) return 'must have a visible character';
  return clean === name ? undefined : 'must not have invisible characters, line breaks or a pile of accents';
}

/**
 * Returns a name as it is shown by itself: without what would turn or hide its surroundings. A name
 * that shows nothing becomes the codes of its characters, so that it can be seen.
 *
 * @example
 * shownName('Lee \u202egpj'); // 'Lee gpj'
 * shownName('\u200b'); // 'U+200B'
 */
export function shownName(name: string): string {
  const clean = withoutInvisible(name);
  if (visible.test(clean) || name === '') return clean;
  const codes = Array.from(name.slice(0, 6), (character) => character.codePointAt(0)?.toString(16) ?? '');
  return codes
    .slice(0, 3)
    .map((code) => `U+${code.toUpperCase().padStart(4, '0')}`)
    .join(' ');
}

/**
 * Returns a name as it is shown within a sentence. The directions of its letters stay its own; a
 * name without letters that run from right to left needs no marks for that.
 *
 * @example
 * isolatedName('Ann'); // 'Ann'
 * isolatedName('שירה'); // '\u2068שירה\u2069'
 */
export function isolatedName(name: string): string {
  const shown = shownName(name);
  return rightToLeft.test(shown) ? `\u2068${shown}\u2069` : shown;
}

function withoutInvisible(name: string): string {
  return name.replace(invisible, (character, kept?: string) => kept ?? (lineBreak.test(character) ? ' ' : ''));
}
