/** Rows that one statement can name. */
export const rowsOfStatement = 500;

/** Cuts a list into parts of at most `size`. */
export function chunks<T>(list: readonly T[], size = rowsOfStatement): readonly (readonly T[])[] {
  const count = Math.ceil(list.length / size);
  return Array.from({ length: count }, (_, index) => list.slice(index * size, (index + 1) * size));
}
