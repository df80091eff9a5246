import { isolatedName } from '@gantry/wire';
/** Output of a command. Results go to `out`, progress and problems to `err`. */
export interface Output {
  out(line: string): void;
  err(line: string): void;
  /** Replaces the status line on a terminal; `''` clears it. Absent without a terminal. */
  readonly status?: ((text: string) => void) | undefined;
}

/** The changes were shown and not written: exit code 3. */
export class NotWritten extends Error {
  override readonly name = 'NotWritten';
}

/** Formats rows as a table; returns `empty` if there are none. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[], empty: string): string {
  if (rows.length === 0) return empty;
  const lines = [headings, ...rows.map((row) => row.map(isolatedName))];
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
