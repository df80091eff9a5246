import type { ProblemTexts } from '@gantry/lab/record';
import { terminalText } from '@gantry/wire/runtime';

/** A problem in an app's folder, for its author. */
export interface Finding extends ProblemTexts {
  /** `error`: cannot be registered. `warning`: part of the app will not work as it seems. */
  readonly level: 'error' | 'warning';
  /** Path in the folder, with slashes. */
  readonly file?: string;
  /** From 1. */
  readonly line?: number;
  /** From 1, in UTF-16 code units. */
  readonly column?: number;
}

export function manifestWarning(texts: ProblemTexts): Finding {
  return { ...texts, level: 'warning', file: 'gadget.json' };
}

/** Formats a finding as one line: place, problem and remedy. */
export function findingLine({ id, file, line, column, what, cure }: Finding): string {
  const place = [file, line, column].filter((part) => part !== undefined).join(':');
  return terminalText(`${place && `${place}: `}${what} ${cure} [${id}]`, Number.POSITIVE_INFINITY);
}

/** Returns the line and column of offsets, which must ascend: the text is read once in all. */
export function placesIn(text: string): (offset: number) => { readonly line: number; readonly column: number } {
  let line = 1;
  let start = 0;
  return (offset) => {
    for (let end = text.indexOf('\n', start); end !== -1 && end < offset; end = text.indexOf('\n', start)) {
      line += 1;
      start = end + 1;
    }
    return { line, column: offset - start + 1 };
  };
}
