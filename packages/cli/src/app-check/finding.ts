/** Something about an app's folder that its author should know. */
export interface Finding {
  /** Stable word, which docs list. */
  readonly id: string;
  /** `error`: the folder cannot be registered. `warning`: something of it will not work, or is not as it seems. */
  readonly level: 'error' | 'warning';
  /** Path in the folder, with slashes. */
  readonly file?: string;
  /** From 1. */
  readonly line?: number;
  /** From 1, in UTF-16 code units. */
  readonly column?: number;
  /** A sentence without its full stop, which goes on from the place: "uses localStorage, which …". */
  readonly what: string;
  /** A whole sentence on what to write instead. */
  readonly cure?: string;
}

/** Writes a finding as one line: its place, what it is, and its cure. */
export function findingLine({ id, file, line, column, what, cure }: Finding): string {
  const place = [file, line, column].filter((part) => part !== undefined).join(':');
  const start = place === '' ? what : `${place} ${what}`;
  const sentence = /[.!?]$/.test(start) ? start : `${start}.`;
  return visible(`${sentence}${cure === undefined ? '' : ` ${cure}`} [${id}]`);
}

/** Escapes what would steer a terminal or turn its text around: addresses and paths are the app's own words. */
function visible(text: string): string {
  return text.replace(/[\p{Cc}\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, (char) => {
    return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** Finds the line and column of offsets that are asked for in ascending order: reads the text once in all. */
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
