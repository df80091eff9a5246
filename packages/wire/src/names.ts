/** Invisible characters that are kept, each where writing needs it and beside what is kept. */
const joiners = [
  '(?<=(?!\\p{DI})[\\p{L}\\p{M}])[\\u200c\\u200d](?=(?!\\p{DI})\\p{L})', // Persian, Hindi, Sinhala
  '(?<=(?!\\p{DI})\\p{M})\\u200d', // the last letter of a word in Malayalam
  '(?<=\\p{ExtPict}\\ufe0f?|\\p{EMod})\\u200d(?=\\p{ExtPict})', // families
  '(?<=(?!\\p{DI})[\\p{L}\\p{N}\\p{P}\\p{S}])[\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}]', // variants of a sign
  '(?<=(?!\\p{DI})\\p{sc=Mong})[\\u180b-\\u180d\\u180f]',
  '(?<=\\u{1f3f4})[\\u{e0030}-\\u{e0039}\\u{e0061}-\\u{e007a}]{1,8}\\u{e007f}', // flags, of Wales for example
].join('|');
/** Characters that show nothing, or turn or hide what stands around them. */
const unseen = '[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{DI}]';
/** Marks that would pile up over other lines: the fourth accent, and the seventh of any script. */
const accent = '[\\u0300-\\u036f\\u0483-\\u0489\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe20-\\ufe2f]';
const mark = '[\\p{Mn}\\p{Me}]';
const piled = expression(() => new RegExp(`(?<=${accent}{3})${accent}|(?<=${mark}{6})${mark}`, 'gu'));
const invisible = expression(() => new RegExp(`(${joiners})|${unseen}`, 'gu'));
const visible = expression(() => /(?!\u2800)[\p{L}\p{N}\p{P}\p{S}]/u); // not Braille without dots
const lineBreak = /[\t-\r\x85\u2028\u2029]/;
/** Texts that those would leave as they are. */
const plain = /^[ -~]*$/;
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * Returns the fault of a name that is to be stored, as the end of a sentence, or `undefined`
 * (security rule 38). Length and emptiness have bounds of their own.
 */
export function nameProblem(name: string): string | undefined {
  const clean = withoutInvisible(name);
  if (!isVisible(clean)) return 'must have a visible character';
  return clean === name ? undefined : 'must not have invisible characters, line breaks or a pile of accents';
}

/**
 * Returns a name as it is shown by itself: without what would turn or hide its surroundings. A name
 * that shows nothing becomes the codes of its characters, so that it can be seen.
 */
export function shownName(name: string): string {
  const clean = withoutInvisible(name);
  if (isVisible(clean) || name === '') return clean;
  const codes = Array.from(name.slice(0, 6), (character) => character.codePointAt(0)?.toString(16) ?? '');
  return codes
    .slice(0, 3)
    .map((code) => `U+${code.toUpperCase().padStart(4, '0')}`)
    .join(' ');
}

/**
 * Returns a name as it is shown within a sentence. The directions of its letters stay its own; a
 * name without letters that run from right to left needs no marks for that.
 */
export function isolatedName(name: string): string {
  const text = shownName(name);
  return rightToLeft.test(text) ? `\u2068${text}\u2069` : text;
}

function isVisible(text: string): boolean {
  return /[!-~]/.test(text) || visible().test(text);
}

function withoutInvisible(name: string): string {
  if (plain.test(name)) return name;
  const text = name.replace(invisible(), (character, kept?: string) => kept ?? (lineBreak.test(character) ? ' ' : ''));
  return text.replace(piled(), ''); // adjacent now that invisible ones are gone
}

/** Makes an expression at its first use: classes of all Unicode take a browser 10 ms and more. */
function expression(make: () => RegExp): () => RegExp {
  let made: RegExp | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
