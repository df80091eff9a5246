const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/gu;

/**
 * Returns a text on one line, with control characters, direction marks and what is invisible as
 * `\u{…}`: texts of strangers cannot move the cursor, set a title or hide text in a terminal.
 *
 * @param most Characters of the result, beyond which it is cut off.
 */
export function terminalText(text: string, most = 500): string {
  const plain = text.slice(0, most + 1).replace(unsafe, (character) => {
    if (character === '\n' || character === '\r' || character === '\t') return ' ';
    return `\\u{${(character.codePointAt(0) as number).toString(16)}}`;
  });
  return plain.length > most ? `${plain.slice(0, most)}…` : plain;
}
