/** Masked source text of the original's length, so that positions are the same in both. */
export interface MaskedCode {
  /** Without comments. */
  readonly code: string;
  /** Without comments and without the content of strings. */
  readonly bare: string;
}

/** Tokens of one language, and which of them are comments. */
interface Lexicon {
  readonly token: RegExp;
  readonly isComment: (token: string) => boolean;
}

const javascript: Lexicon = {
  token:
    // linear: in a class of characters a bracket ends it, unless it is escaped
    /\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$)|'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*"|`(?:[^`\\]|\\[\s\S])*`|(?<=[=(,:;!&|?{}[\n]\s{0,8})\/(?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.){0,500}\])+\//g,
  isComment: (token) => token.startsWith('//') || token.startsWith('/*'),
};

const python: Lexicon = {
  token:
    /#[^\n]*|'''(?:[^'\\]|\\[\s\S]|'(?!''))*'''|"""(?:[^"\\]|\\[\s\S]|"(?!""))*"""|'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*"/g,
  isComment: (token) => token.startsWith('#'),
};

/** Masks comments and strings in JavaScript or TypeScript. */
export function maskJavaScript(text: string): MaskedCode {
  return mask(text, javascript);
}

/** Masks comments and strings in Python. */
export function maskPython(text: string): MaskedCode {
  return mask(text, python);
}

function mask(text: string, { token, isComment }: Lexicon): MaskedCode {
  return {
    code: text.replace(token, (found) => (isComment(found) ? blank(found) : found)),
    bare: text.replace(token, (found) =>
      isComment(found) ? blank(found) : found[0] + blank(found.slice(1, -1)) + found.at(-1),
    ),
  };
}

/** Replaces all but line ends by spaces. */
export function blank(text: string): string {
  return text.replace(/[^\r\n]/g, ' ');
}

/**
 * Returns the position of the closing bracket, or -1 if brackets do not match.
 *
 * @param bare Code without comments and strings.
 * @param open Position of `(`, `[` or `{`.
 */
export function closingBracket(bare: string, open: number): number {
  const stack: string[] = [];
  for (let at = open; at < bare.length; at++) {
    const closing = closings.get(bare[at] as string);
    if (closing !== undefined) stack.push(closing);
    else if (isClosing.has(bare[at] as string)) {
      if (stack.pop() !== bare[at]) return -1;
      if (stack.length === 0) return at;
    }
  }
  return -1;
}

const closings = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
]);
const isClosing = new Set(closings.values());
