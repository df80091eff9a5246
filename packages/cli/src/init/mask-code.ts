/** A source text of the same length as the original, so that positions hold in both. */
export interface MaskedCode {
  /** Without comments. */
  readonly code: string;
  /** Without comments and without the content of strings. */
  readonly bare: string;
}

/** Patterns of one language: what is skipped as a whole, and which part of it is a comment. */
interface Lexicon {
  readonly token: RegExp;
  readonly isComment: (token: string) => boolean;
}

const javascript: Lexicon = {
  token:
    /\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$)|'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*"|`(?:[^`\\]|\\[\s\S])*`|(?<=[=(,:;!&|?{}[\n]\s{0,8})\/(?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.){0,500}\])+\//g,
  isComment: (token) => token.startsWith('//') || token.startsWith('/*'),
};

const python: Lexicon = {
  token:
    /#[^\n]*|'''(?:[^'\\]|\\[\s\S]|'(?!''))*'''|"""(?:[^"\\]|\\[\s\S]|"(?!""))*"""|'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*"/g,
  isComment: (token) => token.startsWith('#'),
};

/** Blanks what is not code in JavaScript or TypeScript: a call in a comment or a string is none. */
export function maskJavaScript(text: string): MaskedCode {
  return mask(text, javascript);
}

/** Blanks what is not code in Python. */
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

function blank(text: string): string {
  return text.replace(/[^\r\n]/g, ' ');
}

/**
 * Finds the end of the brackets that begin at a position.
 *
 * @param bare Code without comments and strings.
 * @param open Position of `(`, `[` or `{`.
 * @returns Position of the closing one, or -1 where brackets do not match.
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
