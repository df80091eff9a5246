/** Returns a value of an app as text of several lines, at most 1,000 characters. */
export function readLines(value: unknown): string {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  return text.slice(0, 1_000);
}

/** Returns a value of an app as one line of at most `max` characters. */
export function readLine(value: unknown, max: number): string {
  return readLines(value).replace(/\s+/g, ' ').trim().slice(0, max);
}
