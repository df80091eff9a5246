/** Returns the most frequent line ending of a text. */
export function lineEnding(text: string): '\n' | '\r\n' {
  const windows = text.split('\r\n').length - 1;
  return windows * 2 > text.split('\n').length - 1 ? '\r\n' : '\n';
}
