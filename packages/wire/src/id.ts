const pattern = /^(?!\.{1,2}$)[A-Za-z0-9._:-]{1,64}$/;

/**
 * True for text that can be the id of anything: `[A-Za-z0-9._:-]{1,64}`. Other text names nothing; nor do `.` and `..`,
 * which no URL can carry as a segment.
 */
export function isId(text: string): boolean {
  return pattern.test(text);
}

/** Order of ids everywhere: by length, then code point, so that numbers sort as numbers. */
export function compareIds(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}
