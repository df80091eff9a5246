/** Where a command writes. Results go to `out`, progress and problems to `err`. */
export interface Output {
  out(line: string): void;
  err(line: string): void;
  /** Shows a text in place of the last one, on a terminal; `''` takes it away. Absent where there is no terminal. */
  readonly status?: ((text: string) => void) | undefined;
}

/** Aligns rows under their headings; an empty list says so instead. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[], empty: string): string {
  if (rows.length === 0) return empty;
  const lines = [headings, ...rows];
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] as number))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
