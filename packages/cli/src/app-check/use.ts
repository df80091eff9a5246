export interface Part {
  readonly text: string;
  /** Position in the file. */
  readonly at: number;
}

/** JavaScript or TypeScript. */
export interface Script extends Part {
  /** An expression or statements in markup, which see what the component declares. */
  readonly isTemplate?: boolean;
  /** A function that it names is called. */
  readonly isHandler?: boolean;
  /** It may be of another language: no problem if it cannot be parsed. */
  readonly isGuess?: boolean;
}

/**
 * A use of something that the sandbox may refuse, in a normal form: `fetch(…)`, `new
 * Worker("a.js")`, `navigator.clipboard`, `<form action="…">`, `100vh`. Names that are not the
 * window's begin with `~`: `~osapi.people.get()`.
 */
export interface Use {
  readonly code: string;
  readonly at: number;
  /** Position of its last name. */
  readonly nameAt: number;
  readonly value?: Part | undefined;
}

/** Contents of a file, to which its readers add. */
export interface Contents {
  readonly uses: Use[];
  readonly scripts: Script[];
  /** Names that markup declares for scripts in it. */
  readonly declared: Set<string>;
  /** Places that cannot be read. */
  readonly problems: { readonly at: number; readonly what: string }[];
}

export function createContents(): Contents {
  return { uses: [], scripts: [], declared: new Set(), problems: [] };
}

/** Stands for an expression in markup: a letter, so that scripts around it stay scripts. */
export const hole = 'µ';

export function tagUse(
  tag: Omit<Part, 'text'> & { readonly name: string },
  name = '',
  nameAt = tag.at,
  value?: Part,
): Use {
  const attribute = name && ` ${name}="${value?.text.slice(0, 20)}"`;
  const isKnown = !value?.text.includes(hole);
  return { code: `<${tag.name}${attribute}>`, at: tag.at, nameAt, value: isKnown ? value : undefined };
}

/** Returns what a style uses: lengths by the frame's height, and files, as `url()`. */
export function styleUses({ text, at }: Part): readonly Use[] {
  const css = text.replace(/\/\*[\s\S]*?(?:\*\/|$)/g, (comment) => ' '.repeat(comment.length));
  const lengths = Array.from(css.matchAll(/\b\d+(?:[dsl]?vh|v(?:b|max))\b/gi), ({ 0: code, index }) => {
    return { code: code.toLowerCase(), at: at + index, nameAt: at + index };
  });
  const files = Array.from(css.matchAll(addresses), ({ 0: all, 1: a, 2: b, 3: c, index }) => {
    const address = a ?? b ?? c ?? '';
    const start = at + index + all.indexOf(address, 'url('.length);
    const value = address.includes(hole) ? undefined : { text: address, at: start };
    return { code: dataType.exec(address)?.[0] ?? 'url()', at: start, nameAt: start, value };
  });
  return [...lengths, ...files];
}

const addresses = /\burl\(\s*(?:"([^"]*)"|'([^']*)'|([^"'()\s]+))\s*\)/gi;
const dataType = /^data:[\w/.+-]{1,40}/i;

/** Returns what a text uses, which may be a style or a `data:` address. */
export function textUses(part: Part): readonly Use[] {
  const [code] = dataType.exec(part.text) ?? [];
  if (code) return [{ code, at: part.at, nameAt: part.at }];
  return styleUses(part).filter((use) => use.code !== 'url()');
}
