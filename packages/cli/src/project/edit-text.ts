/** An insertion into a text. */
export interface Insertion {
  readonly at: number;
  readonly text: string;
}

/** Returns the most frequent line ending of a text. */
export function lineEnding(text: string): '\n' | '\r\n' {
  const windows = text.split('\r\n').length - 1;
  return windows * 2 > text.split('\n').length - 1 ? '\r\n' : '\n';
}

/** Inserts at positions of the original text; new lines get its line ending. */
export function insert(text: string, insertions: readonly Insertion[]): string {
  const end = lineEnding(text);
  return insertions
    .toSorted((a, b) => b.at - a.at)
    .reduce((done, { at, text: added }) => done.slice(0, at) + added.replaceAll('\n', end) + done.slice(at), text);
}

/** Returns the position after the line of `at` and its line ending. */
export function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end + 1;
}

/** Returns the indentation of the line of `at`. */
export function indentAt(text: string, at: number): string {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, at))?.[0] ?? '';
}

/** Returns the line number of `at`, from 1. */
export function lineOf(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}
