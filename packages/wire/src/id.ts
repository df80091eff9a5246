const pattern = /^(?!\.{1,2}$)[A-Za-z0-9._:-]{1,64}$/;

/**
 * Returns true for text that can be an id: `[A-Za-z0-9._:-]{1,64}`, but not `.` and `..`, which no
 * URL can carry as a segment.
 */
export function isId(text: string): boolean {
  return pattern.test(text);
}

/** Compares ids by length, then by code unit, so that numbers sort as numbers. */
export function compareIds(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}
