import { terminalText } from '@gantry/wire';

/** A problem in an app's folder, for its author. */
export interface Finding {
  /** Stable id, listed in the docs. */
  readonly id: string;
  /** `error`: cannot be registered. `warning`: part of the app will not work as it seems. */
  readonly level: 'error' | 'warning';
  /** Path in the folder, with slashes. */
  readonly file?: string;
  /** From 1. */
  readonly line?: number;
  /** From 1, in UTF-16 code units. */
  readonly column?: number;
  /** Sentence without subject (the place) and full stop: "uses localStorage, which …". */
  readonly what: string;
  /** Complete sentence with the remedy. */
  readonly cure?: string;
}

/** Returns a warning about the manifest. */
export function manifestWarning({ id, what, cure }: Required<Pick<Finding, 'id' | 'what' | 'cure'>>): Finding {
  return { id, level: 'warning', file: 'gadget.json', what, cure };
}

/** Formats a finding as one line: place, problem and remedy. */
export function findingLine({ id, file, line, column, what, cure }: Finding): string {
  const place = [file, line, column].filter((part) => part !== undefined).join(':');
  const start = place === '' ? what : `${place} ${what}`;
  const sentence = /[.!?]$/.test(start) ? start : `${start}.`;
  return terminalText(`${sentence}${cure === undefined ? '' : ` ${cure}`} [${id}]`, Number.POSITIVE_INFINITY);
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
