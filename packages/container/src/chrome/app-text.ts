/** Text of several lines from whatever an app wrote. It is cut before anything looks through it. */
export function lines(value: unknown): string {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  return text.slice(0, 1_000);
}

/** One line of text, likewise. */
export function line(value: unknown, max: number): string {
  return lines(value).replace(/\s+/g, ' ').trim().slice(0, max);
}
