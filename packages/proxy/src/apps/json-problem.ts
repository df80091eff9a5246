/** The first syntax error of a JSON text. */
export interface JsonProblem {
  /** Counts from 1, like `column`. */
  readonly line: number;
  readonly column: number;
  /** Plain words without a full stop. */
  readonly problem: string;
}

/** Finds the first syntax error of a text. Returns `undefined` for valid JSON. */
export function jsonProblem(text: string): JsonProblem | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch {}
  const offset = badOffset(text);
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  return { line, column: offset - before.lastIndexOf('\n'), problem: problemAt(text, offset) };
}

/**
 * Returns the offset of the first invalid character. Engines report it for some errors only, so it
 * is found by bisection: once a prefix is invalid, every longer one is.
 */
function badOffset(text: string): number {
  if (canGoOn(text)) return text.length;
  let good = 0;
  let bad = text.length;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (canGoOn(text.slice(0, middle))) good = middle;
    else bad = middle;
  }
  return good;
}

function canGoOn(beginning: string): boolean {
  try {
    JSON.parse(beginning);
    return true;
  } catch (error) {
    const { message } = error as SyntaxError;
    const position = Number(/position (\d+)/.exec(message)?.[1]);
    return /^(Unexpected end|Unterminated string)/.test(message) || position >= beginning.length;
  }
}

function problemAt(text: string, offset: number): string {
  const char = text[offset];
  const last = text.slice(0, offset).trimEnd().at(-1);
  if (char === undefined) return 'the file ends too early: a quote or a closing bracket is missing';
  if (last === ',' && (char === '}' || char === ']')) return 'there is a comma after the last item';
  if (char === "'") return 'texts and names stand in double quotes';
  if (char === '/' || char === '#') return 'JSON has no comments';
  if (char < ' ') return 'a text ends on the line where it begins, in double quotes';
  if (char === '"' && last !== ',' && last !== '{' && last !== '[') return 'a comma or a colon is missing before this';
  return `${JSON.stringify(char)} cannot stand here`;
}
