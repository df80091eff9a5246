const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/u;

/**
 * Escapes escape sequences, control characters and direction marks as `\u{…}`: texts of an app
 * cannot move the cursor, set a title or hide text in a terminal.
 *
 * @example
 * plainText('\u001b[2J done', 10); // '\\u{1b}[2J …'
 * @param most Characters of the result, beyond which it is cut off.
 */
export function plainText(text: string, most = 500): string {
  let plain = '';
  for (const character of text.slice(0, most * 2)) {
    plain += shown(character);
    if (plain.length > most) return `${plain.slice(0, most)}…`;
  }
  return plain;
}

/** The same for several lines, at most 20 of them. */
export function plainLines(text: string, most = 20): readonly string[] {
  return text
    .slice(0, 20_000)
    .split(/\r\n|\n/)
    .slice(0, most)
    .map((line) => plainText(line.trimEnd(), 200));
}

function shown(character: string): string {
  if (character === '\n' || character === '\r' || character === '\t') return ' ';
  return unsafe.test(character) ? `\\u{${(character.codePointAt(0) as number).toString(16)}}` : character;
}
