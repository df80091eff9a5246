/** Where a text stops being JSON, from 1, and why. */
export interface JsonProblem {
  readonly line: number;
  readonly column: number;
  /** In plain words, without a full stop. */
  readonly problem: string;
}

/** @returns Nothing for text that is JSON. */
export function jsonProblem(text: string): JsonProblem | undefined {
  if (isJson(text)) return undefined;
  const offset = badOffset(text);
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  return { line, column: offset - before.lastIndexOf('\n'), problem: problemAt(text, offset) };
}

/**
 * Offset of the first character that JSON cannot have there. Engines name it for some mistakes and not for others, so it is
 * searched for: a beginning that can still become JSON fails for its end only, and every longer one of a bad one is bad.
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

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
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
